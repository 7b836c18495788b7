import type { ComponentProps } from 'react';
import { scrollRegion } from './scrollRegion.ts';

/** Adds the column title to each cell, for display on phones. */
const nameCells = (table: HTMLTableElement): void => {
  const titles = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent.trim());
  for (const row of [...table.tBodies].flatMap(({ rows }) => [...rows]))
    for (const [column, cell] of [...row.cells].entries()) cell.dataset['title'] = titles[column] ?? '';
};

const prepare = (table: HTMLTableElement | null) => {
  if (table !== null) nameCells(table);
  return scrollRegion(table);
};

/** A table of a Markdown page. */
export const Table = (props: ComponentProps<'table'>) => <table {...props} ref={prepare} />;
