import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const files = globSync('{src/*/lib,scripts}/**/*.{ts,tsx}').map((file) => `/${file}`);
const [table = ''] = readFileSync('docs/how-to-change.md', 'utf8').split('\n## ');
const rows = [...table.matchAll(/^\| (.+?) \| (.*) \|$/gm)].slice(1).map(([, change = '', text = '']) => ({
  change,
  named: [...text.matchAll(/`([^` ]+\.tsx?)`/g)].map(([, name = '']) => name),
}));

describe('docs/how-to-change.md', () => {
  it('lists thirteen changes', () => {
    expect(rows).toHaveLength(13);
  });

  it.each(rows)('names at most four existing source files for: $change', ({ named }) => {
    expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
    expect(named.length).toBeLessThanOrEqual(4);
  });
});
