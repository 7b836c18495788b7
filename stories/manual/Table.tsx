import type { ComponentProps } from 'react';

/** Adds the column title to each cell, for display on phones. */
const nameCells = (table: HTMLTableElement): void => {
  const titles = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent.trim());
  for (const row of [...table.tBodies].flatMap(({ rows }) => [...rows]))
    for (const [column, cell] of [...row.cells].entries()) cell.dataset['title'] = titles[column] ?? '';
};

/** Makes the table focusable only while it scrolls. */
const prepare = (table: HTMLTableElement | null) => {
  if (table === null) return undefined;
  nameCells(table);
  const observer = new ResizeObserver(() => {
    if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
    else table.removeAttribute('tabindex');
  });
  observer.observe(table);
  return () => observer.disconnect();
};

/** A table of a Markdown page. */
export const Table = (props: ComponentProps<'table'>) => <table {...props} ref={prepare} />;
