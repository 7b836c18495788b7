import { guidePages, referencePages } from '../.storybook/guidePages.ts';
import { searchEntriesOf } from './searchIndex.ts';

const texts = import.meta.glob<string>('../../docs/**/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The sections of every page of the manual. */
export const manualEntries = [...guidePages, ...referencePages].flatMap(({ file, title }) =>
  searchEntriesOf(title, texts[`../../${file}`] ?? ''),
);
