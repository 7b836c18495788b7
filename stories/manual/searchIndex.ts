import MiniSearch from 'minisearch';
import { idOf, slugOf } from './links.ts';

/** A section of a page, for the search. */
export interface SearchEntry {
  /** The page and the anchor, `guides-performance--docs#many-reports`. */
  readonly target: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const tokensOf = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+(?:[_.][\p{L}\p{N}]+)*/gu) ?? [];

const plain = (heading: string): string => heading.replaceAll(/<[^>]*>|[`\\]/g, '').trim();

/** The sections of a Markdown page, by headings down to the third level. Ignores `#` in code blocks. */
export const searchEntriesOf = (title: string, text: string): SearchEntry[] =>
  text
    .replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/^#+/gm, ''))
    .split(/^#{1,3} /m)
    .slice(1)
    .map((section, place) => {
      const heading = plain(section.slice(0, section.indexOf('\n')));
      return {
        target: idOf(title) + (place === 0 ? '' : `#${slugOf(heading)}`),
        page: title.replace('/', ' › '),
        heading,
        text: section,
      };
    });

/** Words that say nothing about a page. */
const fillers = new Set(
  'a an and are can do does for how i if in is it my of on the to we when with'.split(' '),
);

/** What people call things, and the words of the pages about them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  auth: ['viewer', 'sign'],
  color: ['theming'],
  colors: ['theming'],
  colour: ['theming'],
  colours: ['theming'],
  csp: ['policy'],
  css: ['theming'],
  dark: ['theming'],
  iframe: ['frame'],
  jwt: ['key'],
  language: ['labels'],
  login: ['signed'],
  logout: ['signed', 'person'],
  permissions: ['canview'],
  rotate: ['rotating'],
  signout: ['signed', 'person'],
  style: ['theming'],
  token: ['key'],
  translate: ['labels'],
  webhook: ['clicks'],
};

/** Searches the sections: by any word, its beginning or a misspelling, headings first, the API reference last. */
export const createSearch = (entries: readonly SearchEntry[]): ((question: string) => SearchEntry[]) => {
  const index = new MiniSearch<SearchEntry & { readonly id: number }>({
    fields: ['heading', 'page', 'text'],
    tokenize: tokensOf,
    searchOptions: {
      boost: { heading: 4, page: 3 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 4 && 0.2,
      processTerm: (term) => (fillers.has(term) ? null : [term, ...(synonyms[term] ?? [])]),
      boostDocument: (id) => (entries[Number(id)]?.page.startsWith('API') ? 0.3 : 1),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (question) => index.search(question).flatMap(({ id }) => entries[Number(id)] ?? []);
};
