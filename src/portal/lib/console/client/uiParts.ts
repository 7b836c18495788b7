import { element } from '../../ui/element.ts';
import { type Row, shown } from './ask.ts';
import { showDialog } from './showDialog.ts';

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly read: (row: Row) => string | Node;
  readonly isNumber?: boolean;
}

/** A column that shows a field unchanged. */
export const field = (title: string, name: string): Column => ({ title, read: (row) => shown(row[name]) });

/** A column that shows a time, to the second. */
export const timeField = (title: string, name: string): Column => ({
  title: `${title} (UTC)`,
  read: (row) => {
    const text = shown(row[name]);
    return element('span', {
      class: 'time',
      text: text.includes('T') ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text,
    });
  },
});

/** Name of a table, and the detail of its rows. */
export interface TableOptions {
  readonly label: string;
  readonly onOpen?: (row: Row) => void;
}

/** The sentence for a table without rows. */
export const nothingYet = ({ label }: TableOptions): HTMLElement =>
  element('p', { class: 'nothing', text: `No ${label} yet.` });

/** The head of a table. */
export const heading = (columns: readonly Column[], { onOpen }: TableOptions): HTMLElement =>
  element('thead', {
    children: [
      element('tr', {
        children: [
          ...columns.map(({ title, isNumber }) =>
            // A column of buttons has no heading; screen readers would announce an empty one.
            element(title === '' ? 'td' : 'th', {
              text: title,
              class: isNumber === true ? 'number' : '',
              attributes: title === '' ? {} : { scope: 'col' },
            }),
          ),
          ...(onOpen === undefined ? [] : [element('td')]),
        ],
      }),
    ],
  });

/** The cells of a row. */
export const cells = (
  columns: readonly Column[],
  row: Row,
  { onOpen }: TableOptions,
): HTMLTableCellElement[] => [
  ...columns.map(({ title, read, isNumber }) => {
    const content = toNode(read(row));
    return element('td', {
      class: isNumber === true ? 'number' : wrapOf(content.textContent ?? ''),
      // Shown before the value on narrow screens, which stack the cells of a row.
      attributes: title === '' ? {} : { 'data-title': title },
      children: [content],
    });
  }),
  ...(onOpen === undefined
    ? []
    : [element('td', { class: 'number', children: [button('Details', () => onOpen(row))] })]),
];

/** Line breaks of a cell: none in a code such as `region-north`, anywhere in a very long text. */
const wrapOf = (text: string): string =>
  /^\S{1,24}$/.test(text) ? 'word' : /\S{40}/.test(text) ? 'long' : '';

/** A table of rows, with a sentence when there are none. */
export const table = (
  columns: readonly Column[],
  rows: readonly Row[],
  options: TableOptions,
): HTMLElement =>
  rows.length === 0
    ? nothingYet(options)
    : element('div', {
        class: 'scroll',
        attributes: { tabindex: '0', role: 'region', 'aria-label': options.label },
        children: [
          element('table', {
            children: [
              heading(columns, options),
              element('tbody', {
                children: rows.map((row) => element('tr', { children: cells(columns, row, options) })),
              }),
            ],
          }),
        ],
      });

const toNode = (value: string | Node): Node =>
  typeof value === 'string' ? document.createTextNode(value) : value;

/** A button; `isMain` for the primary one. */
export const button = (text: string, onClick: () => void, isMain = false): HTMLButtonElement =>
  element('button', { text, class: isMain ? 'main' : 'plain', attributes: { type: 'button' }, onClick });

/** A labeled field of a form. */
export const labeled = (text: string, control: HTMLElement): HTMLElement =>
  element('label', { class: 'field', children: [element('span', { text }), control] });

/** A hint below a heading. */
export const hint = (text: string): HTMLElement => element('p', { class: 'hint', text });

/** Controls side by side. */
export const row = (...children: readonly Node[]): HTMLElement => element('div', { class: 'row', children });

/** A text or number input. */
export const input = (attributes: Readonly<Record<string, string>>): HTMLInputElement =>
  element('input', { attributes });

/** A list to choose from. */
export const select = (options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement =>
  element('select', {
    children: options.map(([value, text]) => element('option', { text, attributes: { value } })),
  });

/** A status badge: the color shows success or failure, the text the status. */
export const statusBadge = (status: unknown): HTMLElement => {
  const number = Number(status);
  const kind =
    status === 'delivered' || (number >= 200 && number < 400) ? 'good' : number === 0 ? 'none' : 'bad';
  return element('span', { class: `badge ${kind}`, text: number === 0 ? 'no response' : shown(status) });
};

/** A card with a heading. */
export const card = (title: string, ...children: readonly Node[]): HTMLElement =>
  element('section', { class: 'card', children: [element('h2', { text: title }), ...children] });

/** Shows a whole row in a dialog. */
export const showDetails = (title: string, row: Row): void => {
  const dialog = element('dialog', {
    attributes: { 'aria-label': title },
    children: [
      // Focus the top of a long row; the button at its end would scroll.
      element('h2', { text: title, attributes: { tabindex: '-1', autofocus: '' } }),
      element('dl', {
        children: Object.entries(row).flatMap(([name, value]) => [
          element('dt', { text: name }),
          element('dd', { children: [element('pre', { text: pretty(value) })] }),
        ]),
      }),
      element('form', {
        attributes: { method: 'dialog' },
        children: [element('button', { class: 'main', text: 'Close' })],
      }),
    ],
  });
  showDialog(dialog);
  dialog.addEventListener('close', () => {
    // The row that opened the dialog may be gone, and the browser only restores focus to that.
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('.scroll')?.focus();
  });
};

const pretty = (value: unknown): string => {
  if (typeof value !== 'string')
    return typeof value === 'object' ? JSON.stringify(value, null, 2) : shown(value);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
};
