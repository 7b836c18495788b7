import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { search, searchEntriesOf } from '../../stories/manual/searchIndex.ts';

const entries = guidePages.flatMap(({ file, title }) => searchEntriesOf(title, readFileSync(file, 'utf8')));

describe('the search of the manual', () => {
  it.each([
    ['an error code', 'frame_blocked', 'reference-errors--docs#frame_blocked'],
    ['a prop', 'concealKey', 'components-embeddedreport--docs#the-frame'],
    ['a function', 'batchKeys', 'components-embedprovider--docs#many-reports-on-one-page'],
    ['two words', 'row security', 'guides-row-level-security--docs'],
  ])('finds %s', (_what, question, target) => {
    expect(search(entries, question).map((entry) => entry.target)).toContain(target);
  });

  it('shows headings that have the words before other parts', () => {
    expect(search(entries, 'frame_blocked')[0]?.heading).toBe('frame_blocked');
  });

  it('finds nothing for words that no part has, and for none', () => {
    expect(search(entries, 'zebra crossing')).toEqual([]);
    expect(search(entries, ' ')).toEqual([]);
  });

  it('takes a comment in a block of code for no heading', () => {
    const text = '# Page\n\n```sh\n# not a heading\n```\n\n## Part\n';
    expect(searchEntriesOf('Guides/Page', text).map(({ heading }) => heading)).toEqual(['Page', 'Part']);
  });

  it('knows every file of docs that is a page', () => {
    expect(globSync('docs/guides/*.md').length).toBeGreaterThan(20);
    expect(new Set(entries.map(({ page }) => page)).size).toBe(guidePages.length);
  });
});
