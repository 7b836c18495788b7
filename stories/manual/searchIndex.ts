import { idOf, slugOf } from './links.ts';

/** A section of a page, for the search. */
export interface SearchEntry {
  /** The page and the anchor, `guides-performance--docs#many-reports`. */
  readonly target: string;
  readonly page: string;
  readonly heading: string;
  /** Every word of the section once, in lower case. */
  readonly words: string;
}

const wordsOf = (text: string): string =>
  [...new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu))].join(' ');

const plain = (heading: string): string => heading.replaceAll(/<[^>]*>|[`\\]/g, '').trim();

/** The sections of a Markdown page, by headings down to the third level. Ignores `#` in code blocks. */
export const searchEntriesOf = (title: string, text: string): SearchEntry[] => {
  const code = [...text.matchAll(/^```[\s\S]*?^```/gm)].map(({ index, 0: block }) => [
    index,
    index + block.length,
  ]);
  const isCode = (at: number) => code.some(([from = 0, to = 0]) => from <= at && at < to);
  const headings = [...text.matchAll(/^#{1,3} (.+)$/gm)].filter(({ index }) => !isCode(index));
  return headings.map(({ index, 1: line = '' }, place) => {
    const heading = plain(line);
    const part = text.slice(index, headings[place + 1]?.index);
    return {
      target: idOf(title) + (place === 0 ? '' : `#${slugOf(heading)}`),
      page: title.replace('/', ' › '),
      heading,
      words: wordsOf(part),
    };
  });
};

/** Finds the entries with every word of a query; those with one in the heading come first. */
export const search = (entries: readonly SearchEntry[], question: string): SearchEntry[] => {
  const terms = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [];
  const rank = ({ heading }: SearchEntry) =>
    terms.filter((term) => heading.toLowerCase().includes(term)).length;
  return entries
    .filter(({ words, page }) =>
      terms.every((term) => words.includes(term) || page.toLowerCase().includes(term)),
    )
    .toSorted((one, other) => rank(other) - rank(one));
};
