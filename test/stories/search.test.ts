import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { createSearch, searchEntriesOf } from '../../stories/manual/searchIndex.ts';

const entries = guidePages.flatMap(({ file, title }) => searchEntriesOf(title, readFileSync(file, 'utf8')));

const search = createSearch(entries);

describe('the search of the manual', () => {
  it.each([
    ['an error code', 'frame_blocked', 'reference-errors--docs#frame_blocked'],
    ['a prop', 'concealKey', 'components-embeddedreport--docs#the-frame'],
    ['a function', 'usePrefetchReport', 'guides-performance--docs#show-a-report-sooner'],
    ['two words', 'row security', 'guides-row-level-security--docs'],
    ['a misspelled word', 'webook', 'guides-clicks-that-reach-your-app--docs'],
  ])('finds %s', (_what, question, target) => {
    expect(search(question).map((entry) => entry.target)).toContain(target);
  });

  it.each([
    ['dark mode', 'Components › Theming'],
    ['change the colors', 'Components › Theming'],
    ['logout', 'Guides › When the signed-in person changes'],
    ['how do I translate the messages', 'Components › Labels'],
    ['RLS', 'Guides › Row-level security'],
    ['env', 'Guides › Production with a real portal'],
    ['iframe blocked', 'Guides › Content Security Policy'],
    ['i18n', 'Components › Labels'],
    ['ssr', 'Guides › Server rendering and caching'],
    ['frame_blocked', 'Reference › Errors'],
    ['which portals does it work with', 'Start › Which portal'],
  ])('shows the page about "%s" first: %s', (question, page) => {
    expect(search(question)[0]?.page).toBe(page);
  });

  it('shows pages before entries of the API reference', () => {
    const reference = searchEntriesOf('API/react', '# react\n\n## Theming\n\nTheming theming.\n');
    expect(createSearch([...reference, ...entries])('theming')[0]?.page).toBe('Components › Theming');
  });

  it('shows at most two sections of a page', () => {
    const pages = search('key').map(({ page }) => page);
    expect(Math.max(...[...Map.groupBy(pages, (page) => page).values()].map(({ length }) => length))).toBe(2);
  });

  it('finds nothing for missing words or an empty query', () => {
    expect(search('zzzyx qqq')).toEqual([]);
    expect(search('  ')).toEqual([]);
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
