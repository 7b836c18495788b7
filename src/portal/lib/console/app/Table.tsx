import type { ReactNode } from 'react';
import { labelOf, type Row, shown } from './api.ts';
import { Button } from './parts.tsx';

/** A column of a table. A field alone is shown under its name. */
export type Column =
  | string
  | {
      readonly title: string;
      /** Field of the row: it sorts by it, and shows it without `render`. */
      readonly field?: string;
      readonly render?: (row: Row) => ReactNode;
    };

/** Line breaks of a cell: none in a short text such as `region-north`, anywhere in a very long word. */
const wrapOf = (content: ReactNode): string | undefined => {
  if (typeof content !== 'string') return undefined;
  return content.length <= 24 ? 'word' : /\S{40}/.test(content) ? 'long' : undefined;
};

/** A table that sorts by its columns. A row keeps its place and selected text while others come and go. */
export const Table = (props: {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** How it is sorted: `-name` is descending. */
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  /** ID of the row to bring in sight. */
  readonly highlighted?: unknown;
}) => {
  const { label, rows, sort, onSort, highlighted } = props;
  const columns = props.columns.map((column) =>
    typeof column === 'string' ? { title: labelOf(column), field: column } : column,
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the keyboard focus
    <section className="scroll" tabIndex={0} aria-label={label}>
      {rows.length > 0 && (
        <table>
          <thead>
            <tr>
              {columns.map(({ title, field = '' }) => {
                const isSorted = field !== '' && sort.replace('-', '') === field;
                const order = isSorted ? (sort === field ? 'ascending' : 'descending') : undefined;
                const next = { ascending: `-${field}`, descending: '', none: field }[order ?? 'none'];
                return (
                  <th key={title} scope="col" aria-sort={order}>
                    {title === '' && <span className="hidden">Actions</span>}
                    {field === '' ? title : <Button onClick={() => onSort(next)}>{title}</Button>}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const isNew = highlighted !== undefined && shown(row['id']) === shown(highlighted);
              return (
                <tr
                  key={shown(row['id'])}
                  className={isNew ? 'new' : undefined}
                  ref={isNew ? (line) => line?.scrollIntoView({ block: 'center' }) : undefined}
                >
                  {columns.map(({ title, field = '', render = (one: Row) => shown(one[field]) }) => (
                    <td key={title} className={wrapOf(render(row))} data-title={title || undefined}>
                      {render(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
};
