import { readFileSync } from 'node:fs';
import type { PluginOption } from 'vite';
import { searchEntriesOf } from '../manual/searchIndex.ts';
import { presentPages } from './writeGuidePages.ts';

const id = 'virtual:search-index';

/** A Vite plugin with the words of every page, for the manual's search. */
export const searchPlugin = (): PluginOption => ({
  name: 'vitrine:search-index',
  resolveId: (source) => (source === id ? `\0${id}` : undefined),
  load: (source) => {
    if (source !== `\0${id}`) return undefined;
    const entries = presentPages().flatMap(({ file, title }) =>
      searchEntriesOf(title, readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')),
    );
    return `export default ${JSON.stringify(entries)};`;
  },
});
