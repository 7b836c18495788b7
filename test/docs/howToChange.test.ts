import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const files = globSync('{src/*/lib,scripts,stories/.storybook}/**/*.{ts,tsx}').map((file) => `/${file}`);
const [table = ''] = readFileSync('docs/how-to-change.md', 'utf8').split('\n## ');
const rows = [...table.matchAll(/^\| (.+?) \| (.*) \|$/gm)].slice(1).map(([, change = '', text = '']) => ({
  change,
  named: [...text.matchAll(/`([^` ]+\.tsx?)`/g)].map(([, name = '']) => name),
}));

/** How many files the two long changes touch. */
const longChanges: Readonly<Record<string, number>> = {
  'A data source of its own for such a report': 8,
  "A column in the portal's audit log": 7,
};

describe('docs/how-to-change.md', () => {
  it('lists fourteen changes', () => {
    expect(rows).toHaveLength(14);
    expect(rows.map(({ change }) => change)).toEqual(expect.arrayContaining(Object.keys(longChanges)));
  });

  it.each(rows)(
    'names only existing source files, at most four apart from the long changes, for: $change',
    ({ change, named }) => {
      expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
      expect(named.length).toBeLessThanOrEqual(longChanges[change] ?? 4);
    },
  );
});
