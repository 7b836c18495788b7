import { guidePages, referencePages } from '../.storybook/guidePages.ts';
import { createSearch, searchEntriesOf } from './searchIndex.ts';

const texts = import.meta.glob<string>('../../docs/**/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Searches the sections of every page of the manual. */
export const searchManual = createSearch(
  [...guidePages, ...referencePages].flatMap(({ file, title }) =>
    searchEntriesOf(title, texts[`../../${file}`] ?? ''),
  ),
);
