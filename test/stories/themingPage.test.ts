import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const propertiesIn = (...files: readonly string[]): ReadonlySet<string> =>
  new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/--vitrine-[a-z]+/g) ?? []));

it('every custom property on a page exists, and docs/components/theming.md lists them all', () => {
  const existing = propertiesIn('src/react/lib/styles.css');
  expect(existing.size).toBeGreaterThan(0);
  expect(propertiesIn('docs/components/theming.md')).toEqual(existing);
  const pages = globSync(['README.md', 'docs/**/*.md', 'src/*/README.md', 'stories/**/*.{mdx,tsx}']);
  expect(propertiesIn(...pages)).toEqual(existing);
});
