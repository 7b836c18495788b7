import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { referenceEntries } from '../../scripts/reference/referenceEntries.ts';
import { guidePages } from '../../stories/.storybook/guidePages.ts';
import { escapeText } from '../../stories/manual/directives.ts';
import { manualLink } from '../../stories/manual/links.ts';

it('every guide and every component page is in the manual', () => {
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
])('a link to %s resolves', (_title, target, href) => {
  expect(manualLink('docs/guides/react.md', target)).toBe(href);
});

it.each([
  ['a word', 'set API_KEY_ID now', String.raw`set API\_KEY\_ID now`],
  ['code', 'set `API_KEY` now', 'set `API_KEY` now'],
  ['a block of code', '```ts\nAPI_KEY\n```\nA_B', '```ts\nAPI_KEY\n```\n' + String.raw`A\_B`],
  ['the target of a link', '[a_b](c_d.md#e_f)', String.raw`[a\_b](c_d.md#e_f)`],
  ['an anchor', '<a id="c_d"></a>', '<a id="c_d"></a>'],
  ['emphasis', 'an _important_ word', 'an _important_ word'],
  ['a placeholder', 'report/<reportId>?ev=<KEY_ID>', String.raw`report/&lt;reportId>?ev=&lt;KEY\_ID>`],
  ['a tag', '<span lang="de">Bericht</span>', '<span lang="de">Bericht</span>'],
  ['a comment', '<!-- type: Labels -->', '<!-- type: Labels -->'],
])('escapes only characters that would change the meaning: %s', (_title, text, escaped) => {
  expect(escapeText(text)).toBe(escaped);
});

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);

/** The entries that a package exports for users: those with a file named `index.ts`. */
const entriesOf = (packageFile: string): { name: string; source: string }[] => {
  const { name, exports = {} } = JSON.parse(readFileSync(packageFile, 'utf8'));
  return Object.entries<Record<string, string>>(exports).flatMap(
    ([entry, { '@vitrine/source': source = '' }]) =>
      source.endsWith('/index.ts')
        ? [{ name: name + entry.slice(1), source: packageFile.replace('package.json', source.slice(2)) }]
        : [],
  );
};

it('every entry of every package has an API reference page', () => {
  const entries = globSync('src/*/package.json').flatMap(entriesOf);
  expect(referenceEntries.toSorted(byName)).toEqual(entries.toSorted(byName));
});
