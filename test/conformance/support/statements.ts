/** A sentence, list item or table row of interface.md. */
export interface Statement {
  /** The number of its section: `4.6`; `0` before the first. */
  readonly section: string;
  readonly text: string;
}

const sentences = (paragraph: string): readonly string[] =>
  paragraph.split(/(?<=\.)\s+(?=[A-Z{])/).map((sentence) => sentence.trim());

/** Splits the text of the interface into statements, without headings and table headers. */
export const readStatements = (markdown: string): readonly Statement[] => {
  const lines = markdown.split('\n');
  const statements: Statement[] = [];
  let section = '0';
  for (const [index, line] of lines.entries()) {
    const heading = /^#+\s+(?:(\d+(?:\.\d+)?)\.?\s)?/.exec(line);
    if (heading !== null) {
      section = heading[1] ?? section;
      continue;
    }
    const isTableHead = line.startsWith('|') && /^\|[-|]+\|$/.test(lines[index + 1] ?? '');
    if (line.trim() === '' || isTableHead || /^\|[-|]+\|$/.test(line)) continue;
    const text = line.replace(/^(?:-|\d+\.)\s+/, '');
    for (const part of text.startsWith('|') ? [text] : sentences(text))
      statements.push({ section, text: part });
  }
  return statements;
};

/** A quote of a check: its section and its words. */
export const readQuote = (quote: string, ownSection: string): Statement => {
  const match = /^(\d+(?:\.\d+)?): (.*)$/s.exec(quote);
  return { section: match?.[1] ?? ownSection, text: match?.[2] ?? quote };
};

/** A cell of a table of interface.md, with its row. */
export interface Cell extends Statement {
  readonly row: string;
}

/** Every cell of a table row among the statements. */
export const readCells = (statements: readonly Statement[]): readonly Cell[] =>
  statements
    .filter(({ text }) => text.startsWith('|'))
    .flatMap(({ section, text: row }) =>
      row
        .slice(1, -1)
        .split('|')
        .map((text) => ({ section, row, text: text.trim() })),
    );
