import { existsSync, globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { manualLink } from '../../stories/manual/links.ts';

it('every guide and every page of a component is a page of the manual', () => {
  const files = guidePages.map(({ file }) => file);
  expect(globSync('docs/{guides,components}/*.md').filter((file) => !files.includes(file))).toEqual([]);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

it.each([
  ['another page', 'security.md', './?path=/docs/guides-security-model--docs'],
  ['a heading of another page', '../errors.md#offline', './?path=/docs/reference-errors--docs#offline'],
  ['a heading of the same page', '#limits', '#limits'],
  ['another site', 'https://react.dev', 'https://react.dev'],
  [
    'a file',
    '../decisions/key-age.md',
    'https://github.com/vitrine-embed/vitrine/blob/main/docs/decisions/key-age.md',
  ],
])('a link to %s leads there', (_title, target, href) => {
  expect(manualLink('docs/guides/react.md', target)).toBe(href);
});
