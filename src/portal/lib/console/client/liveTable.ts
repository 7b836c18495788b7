import { element } from '../../ui/element.ts';
import { type Row, shown } from './ask.ts';
import { type Column, cells, heading, nothingYet, type TableOptions } from './uiParts.ts';

/** A table whose rows are updated in place. */
export interface LiveTable {
  readonly root: HTMLElement;
  /** Shows these rows. Rows with a known `id` stay in place; only their changed cells are replaced. */
  readonly update: (rows: readonly Row[]) => void;
}

interface Line {
  row: Row;
  readonly line: HTMLTableRowElement;
}

/**
 * Creates a {@link LiveTable}. Remaining rows keep focus, selected text and scroll position; if the focused row is
 * gone, focus moves to the row in its place, or to the table.
 */
export const liveTable = (columns: readonly Column[], options: TableOptions): LiveTable => {
  const lines = new Map<string, Line>();
  const body = element('tbody');
  const scroll = element('div', {
    class: 'scroll',
    attributes: { tabindex: '0', role: 'region', 'aria-label': options.label },
    children: [element('table', { children: [heading(columns, options), body] })],
  });
  const nothing = nothingYet(options);
  nothing.tabIndex = -1;
  const root = element('div', { children: [nothing] });

  const cellsOf = (key: string, row: Row) =>
    cells(columns, row, {
      ...options,
      ...(options.onOpen !== undefined && { onOpen: () => options.onOpen?.(lines.get(key)?.row ?? row) }),
    });

  /** Replaces only the cells that look different. */
  const patch = (shownLine: Line, key: string, row: Row) => {
    shownLine.row = row;
    for (const [place, cell] of cellsOf(key, row).entries()) {
      const before = shownLine.line.cells[place];
      if (before?.isEqualNode(cell) === false) before.replaceChildren(...cell.childNodes);
    }
  };

  /** New focus when the focused row is removed: the same button in the next or previous row. */
  const refuge = (gone: ReadonlySet<HTMLTableRowElement>): (() => void) | undefined => {
    const held = document.activeElement;
    const line = held?.closest('tr');
    if (!(held instanceof HTMLElement) || line === null || line === undefined || !gone.has(line))
      return undefined;
    const order = [...body.rows];
    const place = order.indexOf(line);
    const heir =
      order.slice(place).find((one) => !gone.has(one)) ??
      order.slice(0, place).findLast((one) => !gone.has(one));
    const button = [...line.querySelectorAll('button')].findIndex((one) => one === held);
    return () => {
      const target = heir?.querySelectorAll('button')[button] ?? (root.contains(scroll) ? scroll : nothing);
      target.focus();
    };
  };

  const update = (rows: readonly Row[]) => {
    const keys = new Set(rows.map((row) => shown(row['id'])));
    const gone = new Set([...lines].filter(([key]) => !keys.has(key)).map(([, { line }]) => line));
    const moveKeyboard = refuge(gone);
    for (const [key, { line }] of lines)
      if (gone.has(line)) {
        lines.delete(key);
        line.remove();
      }
    let before: Element | null = body.firstElementChild;
    for (const row of rows) {
      const key = shown(row['id']);
      const known = lines.get(key);
      if (known === undefined) {
        const line = element('tr', { children: cellsOf(key, row) });
        lines.set(key, { row, line });
        body.insertBefore(line, before);
        continue;
      }
      if (JSON.stringify(known.row) !== JSON.stringify(row)) patch(known, key, row);
      // Moving a row would lose its focus; rows of a log never change their order.
      if (known.line === before) before = before.nextElementSibling;
      else body.insertBefore(known.line, before);
    }
    const content = rows.length === 0 ? nothing : scroll;
    if (!root.contains(content)) root.replaceChildren(content);
    moveKeyboard?.();
  };
  return { root, update };
};
