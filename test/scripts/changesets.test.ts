import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('names packages of this repository in every changeset', () => {
  const names = globSync('src/*/package.json').map(
    (file) => (JSON.parse(readFileSync(file, 'utf8')) as { name: string }).name, // npm requires a name
  );
  const unknown = globSync('.changeset/*.md').flatMap((file) => {
    const [, packages = ''] = /^---\n(.*?)\n---\n/s.exec(readFileSync(file, 'utf8')) ?? [];
    return [...packages.matchAll(/^['"](.+)['"]:/gm)]
      .filter(([, name = '']) => !names.includes(name))
      .map(([line]) => `${file}: ${line}`);
  });
  expect(names).toContain('vitrine');
  expect(unknown).toEqual([]);
});
