import { element } from '../../ui/element.ts';
import { aggregate, type Group, total } from '../shared/aggregate.ts';
import { compareTexts } from '../shared/compareTexts.ts';
import { formatCategory, formatNumber } from '../shared/formatNumber.ts';
import type { Measure, TableVisual } from '../shared/reportModel.ts';
import { isPrinting } from './chartTheme.ts';
import type { MountedVisual } from './mountedVisual.ts';
import type { ReportState } from './reportState.ts';

/** Lines shown before "Show more". */
const portion = 50;

interface Sorting {
  readonly column: number;
  readonly isDescending: boolean;
}

const compareGroups =
  ({ column, isDescending }: Sorting, textColumns: number) =>
  (left: Group, right: Group): number => {
    const order =
      column < textColumns
        ? compareTexts(left.key[column] ?? '', right.key[column] ?? '')
        : (left.values[column - textColumns] ?? 0) - (right.values[column - textColumns] ?? 0);
    return isDescending ? -order : order;
  };

/** A table that sorts by any column; lines are selected like points of a chart. */
export const mountTable = (state: ReportState, visual: TableVisual): MountedVisual => {
  const { table, measures: all } = state.model;
  const measures = visual.measures.flatMap((id) => all.filter((measure) => measure.id === id));
  const isDetail = visual.by.length > 2;
  let sorting: Sorting = isDetail
    ? { column: 0, isDescending: true }
    : { column: visual.by.length, isDescending: true };
  let shown = portion;
  const head = element('tr');
  const body = element('tbody');
  const foot = element('tfoot');
  const more = element('button', {
    class: 'quiet',
    attributes: { type: 'button' },
    onClick: () => {
      shown += portion * 4;
      update();
    },
  });
  const root = element('div', {
    class: isDetail ? 'table table-detail' : 'table',
    children: [
      element('div', {
        class: 'table-scroll',
        attributes: { tabindex: '0', role: 'group', 'aria-label': `${visual.title}, rows` },
        children: [
          element('table', {
            children: [element('thead', { children: [head] }), body, foot],
          }),
        ],
      }),
      more,
    ],
  });

  const header = (label: string, column: number, isNumber: boolean) => {
    const isSorted = sorting.column === column;
    const button = element('button', {
      text: label.replace(' %', '\u00a0%'),
      attributes: { type: 'button' },
      onClick: () => {
        sorting = { column, isDescending: isSorted ? !sorting.isDescending : isNumber };
        update();
        // The header is recreated; restore the focus.
        head.querySelectorAll('button')[column]?.focus();
      },
    });
    return element('th', {
      class: isNumber ? 'number' : '',
      attributes: {
        scope: 'col',
        'aria-sort': isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : 'none',
      },
      children: [button],
    });
  };
  const line = (group: Group, largest: readonly number[]) => {
    const identity = group.key.slice(0, visual.identifiedBy);
    const selection = state.selection();
    const isHere = selection?.visualId === visual.id;
    const isPicked =
      isHere && selection.points.some((point) => point.every((value, place) => value === identity[place]));
    const pick = (isAdding: boolean) =>
      state.toggleSelection(visual.id, {
        columns: visual.by.slice(0, visual.identifiedBy),
        values: identity,
        isAdding,
      });
    const row = element('tr', {
      attributes: {
        tabindex: '0',
        'aria-selected': String(isPicked),
        'data-identity': identity.join('|'),
        ...(isHere && !isPicked && { 'data-dimmed': '' }),
      },
      onClick: (event) => {
        // Ignore the second click of a double click, which would clear the selection again.
        if (event.detail < 2) pick(event.ctrlKey || event.metaKey);
      },
      children: [
        ...group.key.map((text, place) =>
          visual.by[place] === 'Status'
            ? element('td', {
                children: [element('span', { class: 'status', text, attributes: { 'data-status': text } })],
              })
            : element('td', { text: formatCategory(text) }),
        ),
        ...group.values.map((value, place) =>
          element('td', {
            class: 'number',
            children: [
              element('span', { text: formatNumber(value, measures[place]?.format ?? 'decimal') }),
              ...(place === 0 && !isDetail ? [dataBar(value, largest[0] ?? 1)] : []),
            ],
          }),
        ),
      ],
    });
    row.addEventListener('keydown', (event) => {
      const next = event.key === 'ArrowDown' ? row.nextElementSibling : null;
      const previous = event.key === 'ArrowUp' ? row.previousElementSibling : null;
      const sibling = next ?? previous;
      if (event.key === 'Enter' || event.key === ' ') pick(event.ctrlKey || event.metaKey);
      else if (event.key === 'Escape') state.clearSelection();
      else if (sibling instanceof HTMLElement) sibling.focus();
      else return;
      event.preventDefault();
    });
    return row;
  };

  const update = () => {
    const rows = state.highlightedRows(visual.id) ?? state.filteredRows();
    const groups = aggregate(table, rows, { by: visual.by, measures }).sort(
      compareGroups(sorting, visual.by.length),
    );
    const focused = document.activeElement?.closest('tr')?.dataset['identity'];
    head.replaceChildren(
      ...visual.by.map((label, place) => header(label, place, false)),
      ...measures.map((measure, place) => header(measure.label, visual.by.length + place, true)),
    );
    const largest = measures.map((_, place) =>
      Math.max(...groups.map((group) => group.values[place] ?? 0), 1),
    );
    const lines = isPrinting() ? groups : groups.slice(0, shown);
    body.replaceChildren(...lines.map((group) => line(group, largest)));
    if (focused !== undefined)
      for (const row of body.rows) if (row.dataset['identity'] === focused) row.focus();
    foot.replaceChildren(totalLine(visual, measures, (measure) => total(table, rows, measure)));
    more.hidden = groups.length <= shown;
    more.textContent = `Show more (${formatNumber(groups.length - shown, 'integer')} left)`;
  };
  return { root, start: update, update, stop: () => {} };
};

const dataBar = (value: number, largest: number) => {
  const bar = element('i', { class: 'data-bar', attributes: { 'aria-hidden': 'true' } });
  bar.style.width = `${Math.max(0, (value / largest) * 100).toFixed(1)}%`;
  return bar;
};

const totalLine = (
  visual: TableVisual,
  measures: readonly Measure[],
  read: (measure: Measure) => number,
): HTMLTableRowElement =>
  element('tr', {
    children: [
      element('th', { text: 'Total', attributes: { scope: 'row', colspan: String(visual.by.length) } }),
      ...measures.map((measure) =>
        element('td', { class: 'number', text: formatNumber(read(measure), measure.format) }),
      ),
    ],
  });
