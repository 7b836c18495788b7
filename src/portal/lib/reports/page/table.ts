import { aggregate, type Group, total } from '../shared/aggregate.ts';
import { compareTexts } from '../shared/compareTexts.ts';
import type { TableVisual } from '../shared/reportModel.ts';
import { element } from './element.ts';
import { isPrinting, type MountedVisual, measureOf, type ReportState } from './reportState.ts';

/** Lines shown before "Show more". */
const portion = 50;

/** A table that sorts by any column; lines are selected like points of a chart. */
export const mountTable = (state: ReportState, visual: TableVisual): MountedVisual => {
  const { table } = state.model;
  const { by, identifiedBy } = visual;
  const measures = visual.measures.map((id) => measureOf(state, id));
  const isDetail = by.length > 2;
  let sorted = isDetail ? 0 : by.length;
  let isDescending = true;
  let shown = portion;
  const head = element('tr');
  const body = element('tbody');
  const foot = element('tfoot');
  const more = element('button', {
    type: 'button',
    class: 'quiet',
    onClick: () => {
      shown += portion * 4;
      update();
    },
  });
  const scroll = element(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'group', 'aria-label': `${visual.title}, rows` },
    element('table', {}, element('thead', {}, head), body, foot),
  );

  const header = (label: string, column: number) => {
    const isNumber = column >= by.length;
    const isSorted = sorted === column;
    const sort = () => {
      isDescending = isSorted ? !isDescending : isNumber;
      sorted = column;
      update();
      // The header is recreated; restore the focus.
      head.querySelectorAll('button')[column]?.focus();
    };
    return element(
      'th',
      {
        class: isNumber ? 'number' : undefined,
        scope: 'col',
        'aria-sort': isSorted ? (isDescending ? 'descending' : 'ascending') : 'none',
      },
      element('button', { type: 'button', onClick: sort }, label),
    );
  };

  const line = ({ key, values }: Group, largest: number) => {
    const identity = key.slice(0, identifiedBy);
    const selection = state.selectionIn(visual.id);
    const isPicked =
      selection?.points.some((point) => point.every((value, place) => value === identity[place])) === true;
    const pick = (event: MouseEvent | KeyboardEvent) =>
      state.toggleSelection(visual.id, { columns: by.slice(0, identifiedBy), values: identity, event });
    const texts = key.map((text, place) =>
      by[place] === 'Status'
        ? element('td', {}, element('span', { class: 'status', 'data-status': text }, text))
        : element('td', {}, state.formats.category(text)),
    );
    const numbers = values.map((value, place) => {
      const text = state.formats.full(value, measures[place]?.format ?? 'decimal');
      const style = `width: ${Math.max(0, (value / largest) * 100).toFixed(1)}%`;
      const bar = place === 0 && !isDetail ? [element('i', { style })] : [];
      return element('td', { class: 'number' }, text, ...bar);
    });
    const row = element(
      'tr',
      {
        id: `${visual.id}/${identity.join('/')}`,
        tabindex: '0',
        'aria-selected': String(isPicked),
        'data-dimmed': selection !== undefined && !isPicked ? '' : undefined,
        // The second click of a double click would clear the selection again.
        onClick: (event) => event.detail < 2 && pick(event),
      },
      ...texts,
      ...numbers,
    );
    row.addEventListener('keydown', (event) => {
      const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
      if (event.key === 'Enter' || event.key === ' ') pick(event);
      else if (next instanceof HTMLElement) next.focus();
      else return;
      event.preventDefault();
    });
    return row;
  };

  const update = () => {
    const highlighted = state.highlightedRows(visual.id);
    const filtered = state.filteredRows();
    const read = ({ key, values }: Group) => key[sorted] ?? values[sorted - by.length] ?? 0;
    const compare = (left: Group, right: Group) => {
      const [one, other] = [read(left), read(right)];
      return typeof one === 'number' ? one - Number(other) : compareTexts(one, String(other));
    };
    const whole = aggregate(table, filtered, { by, measures }).sort((left, right) =>
      isDescending ? compare(right, left) : compare(left, right),
    );
    // A selection in another visual changes numbers, not the order of the lines.
    const parts = aggregate(table, highlighted ?? [], { by, measures });
    const partOf = new Map(parts.map((part) => [part.key.join('\0'), part]));
    const groups = highlighted ? whole.flatMap(({ key }) => partOf.get(key.join('\0')) ?? []) : whole;
    const largest = Math.max(...whole.map(({ values }) => values[0] ?? 0), 1);
    const lines = isPrinting() ? groups : groups.slice(0, shown);
    head.replaceChildren(...[...by, ...measures.map(({ label }) => label)].map(header));
    body.replaceChildren(...lines.map((group) => line(group, largest)));
    foot.replaceChildren(
      element(
        'tr',
        {},
        element('th', { scope: 'row', colspan: String(by.length) }, 'Total'),
        ...measures.map((measure) =>
          element(
            'td',
            { class: 'number' },
            state.formats.full(total(table, highlighted ?? filtered, measure), measure.format),
          ),
        ),
      ),
    );
    more.hidden = groups.length <= shown;
    more.textContent = `Show more (${state.formats.full(groups.length - shown, 'integer')} left)`;
  };
  const root = element('div', { class: isDetail ? 'table table-detail' : 'table' }, scroll, more);
  return { root, update };
};
