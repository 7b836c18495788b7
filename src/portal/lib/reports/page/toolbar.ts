import { compareTexts } from '../shared/compareTexts.ts';
import { element } from './element.ts';
import { askPortal } from './portal.ts';
import type { ReportState } from './reportState.ts';

/** The tabs of a report with several pages. */
export const tabs = (state: ReportState): HTMLElement =>
  element(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': 'Pages' },
    ...state.model.pages.map(({ id, title }, place, pages) => {
      const isShown = id === state.page().id;
      const tab = element(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${id}`,
          'aria-selected': String(isShown),
          'aria-controls': 'visuals',
          tabindex: isShown ? '0' : '-1',
          onClick: () => state.showPage(id),
        },
        title,
      );
      tab.addEventListener('keydown', ({ key }) => {
        const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
        const next = pages.at((place + step) % pages.length);
        if (step === 0 || next === undefined) return;
        state.showPage(next.id);
        document.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
      });
      return tab;
    }),
  );

/** The filters of the report: every value of a column is a toggle button. */
export const slicers = (state: ReportState): readonly HTMLElement[] =>
  state.model.slicers.flatMap((name) => {
    const column = state.model.table.columns[name];
    if (column?.kind !== 'text' || column.values.length < 2) return [];
    const held = state.filters().find((filter) => filter.column === name)?.values ?? [];
    const option = (text: string, isHeld: boolean, value?: string) =>
      element(
        'button',
        {
          type: 'button',
          id: `${name}:${text}`,
          'aria-pressed': String(isHeld),
          'data-slicer': `${name}:${text}`,
          onClick: () => state.toggleFilter(name, value),
        },
        text,
      );
    const options = column.values
      .toSorted(compareTexts)
      .map((value) => option(value, held.includes(value), value));
    return element(
      'div',
      { class: 'slicer', role: 'group', 'aria-label': `Filter by ${name}` },
      element('span', {}, name),
      element('div', {}, option('All', held.length === 0), ...options),
    );
  });

/** A button that saves the rows of the report as a file, which the portal creates and records in the audit log. */
export const exportButton = (title: string): HTMLElement => {
  const status = element('span', { class: 'bad', role: 'status' });
  const exportRows = async (): Promise<string> => {
    const answer = await askPortal('export');
    if (!answer.ok) return 'Not exported: the key for this report has expired.';
    const href = URL.createObjectURL(await answer.blob());
    element('a', { href, download: `${title}.csv` }).click();
    URL.revokeObjectURL(href);
    return '';
  };
  const button = element(
    'button',
    {
      type: 'button',
      class: 'export',
      title: 'Saves the rows that you can see as a file.',
      onClick: async () => {
        button.disabled = true;
        status.textContent = await exportRows().catch(() => 'Not exported: the portal is not responding.');
        button.disabled = false;
      },
    },
    'Export CSV',
  );
  return element('div', { class: 'exporting' }, status, button);
};
