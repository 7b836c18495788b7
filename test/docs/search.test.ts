import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { search, searchEntriesOf } from '../../stories/manual/searchIndex.ts';

const entries = guidePages.flatMap(({ file, title }) => searchEntriesOf(title, readFileSync(file, 'utf8')));

describe('the search of the manual', () => {
  it.each([
    ['an error code', 'frame_blocked', 'reference-errors--docs#frame_blocked'],
    ['a prop', 'concealKey', 'components-embeddedreport--docs#the-frame'],
    ['a function', 'usePrefetchReport', 'guides-performance--docs#show-a-report-sooner'],
    ['two words', 'row security', 'guides-row-level-security--docs'],
  ])('finds %s', (_what, question, target) => {
    expect(search(entries, question).map((entry) => entry.target)).toContain(target);
  });

  it('ranks headings that contain the words before other parts', () => {
    expect(search(entries, 'frame_blocked')[0]?.heading).toBe('frame_blocked');
  });

  it('finds nothing for missing words or an empty query', () => {
    expect(search(entries, 'zebra crossing')).toEqual([]);
    expect(search(entries, ' ')).toEqual([]);
  });

  it('does not treat a comment in a code block as a heading', () => {
    const text = '# Page\n\n```sh\n# not a heading\n```\n\n## Part\n';
    expect(searchEntriesOf('Guides/Page', text).map(({ heading }) => heading)).toEqual(['Page', 'Part']);
  });

  it('indexes every page of docs', () => {
    expect(globSync('docs/guides/*.md').length).toBeGreaterThan(20);
    expect(new Set(entries.map(({ page }) => page)).size).toBe(guidePages.length);
  });
});
