/** Text that Markdown reads as it stands, in a cell of a table too. */
export const plain = (text: string): string =>
  text
    .replaceAll('<', '&lt;')
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s*\n\s*/g, ' ');

/** A table, or nothing when it has no rows. */
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0
    ? []
    : [[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')];
