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

/** Words of our pages, and what people call the same things. */
const names: Readonly<Record<string, string>> = {
  canview: 'authorization permission permissions',
  clicks: 'webhook webhooks',
  empty: 'blank white',
  entra: 'azure',
  frame: 'iframe',
  'frame_blocked policy': 'blocked csp refused',
  key: 'jwt token',
  labels: 'i18n l10n language languages locale translate translation',
  layouts: 'mobile phone resize responsive',
  origin: 'cors',
  right: 'rtl',
  rotating: 'rotate rotation',
  'row security': 'rls',
  'server rendering': 'ssr',
  'settings variables': 'dotenv env environment',
  'signed person': 'login logout signin signout sso',
  theming: 'brand color colors colour colours css dark style styles',
  'viewer sign': 'auth authentication',
};

const synonyms: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(names).flatMap(([ours, theirs]) =>
    theirs.split(' ').map((word) => [word, ours.split(' ')] as const),
  ),
);

/** Guides come before reference pages, and these before what is written from code. */
const weights: readonly (readonly [RegExp, number])[] = [
  [/^API|Commands/, 0.2],
  [/^Quality/, 0.3],
  [/Interface|Gaps|Conformance/, 0.5],
];
const weightOf = (page: string): number => weights.find(([pattern]) => pattern.test(page))?.[1] ?? 1;

/** Sections of one page in a result: other pages get a place, too. */
const mostOfPage = 2;

/** Searches the sections: by any word, its beginning, a misspelling or another name; headings first, the API reference last. */
export const createSearch = (entries: readonly SearchEntry[]): ((question: string) => SearchEntry[]) => {
  const index = new MiniSearch<SearchEntry & { readonly id: number }>({
    fields: ['heading', 'page', 'text'],
    tokenize: tokensOf,
    searchOptions: {
      boost: { heading: 4, page: 3 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => term.length > 4 && 0.2,
      processTerm: (term) => [term, ...(synonyms.get(term) ?? [])],
      boostDocument: (id) => weightOf(entries[Number(id)]?.page ?? ''),
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (question) => {
    const found = index.search(question).flatMap(({ id }) => entries[Number(id)] ?? []);
    const byPage = Map.groupBy(found, ({ page }) => page);
    return found.filter((entry) => (byPage.get(entry.page)?.indexOf(entry) ?? 0) < mostOfPage);
  };
};
