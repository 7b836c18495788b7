import { element } from '../../ui/element.ts';
import { compareTexts } from '../shared/compareTexts.ts';
import type { ReportState } from './reportState.ts';

/** The row of filters above the visuals: every value of a column is a toggle button. */
export const mountSlicers = (state: ReportState): HTMLElement => {
  const root = element('div', { class: 'slicers' });
  const draw = () => {
    const focused =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset['slicer'] : '';
    root.replaceChildren(
      ...state.model.slicers.flatMap((name) => {
        const column = state.model.table.columns[name];
        if (column?.kind !== 'text' || column.values.length < 2) return [];
        const held = state.filters().find((filter) => filter.column === name)?.values ?? [];
        const values = column.values.toSorted(compareTexts);
        const option = (text: string, isHeld: boolean, onClick: () => void) =>
          element('button', {
            text,
            attributes: {
              type: 'button',
              'aria-pressed': String(isHeld),
              'data-slicer': `${name}:${text}`,
            },
            onClick,
          });
        return [
          element('div', {
            class: 'slicer',
            attributes: { role: 'group', 'aria-label': `Filter by ${name}` },
            children: [
              element('span', { class: 'slicer-name', text: name }),
              element('div', {
                class: 'slicer-options',
                children: [
                  option('All', held.length === 0, () => state.clearFilter(name)),
                  ...values.map((value) =>
                    option(value, held.includes(value), () => state.toggleFilter(name, value)),
                  ),
                ],
              }),
            ],
          }),
        ];
      }),
    );
    for (const button of root.querySelectorAll('button'))
      if (button.dataset['slicer'] === focused) button.focus();
  };
  draw();
  state.onChange(draw);
  return root;
};
