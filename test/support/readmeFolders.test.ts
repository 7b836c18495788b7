import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const foldersOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe('the README of a package', () => {
  it.each(foldersOf('src'))('describes every folder of src/%s/lib', (name) => {
    const readme = readFileSync(`src/${name}/README.md`, 'utf8');
    const isNamed = (folder: string) =>
      readme.includes(`\`${folder}\``) || readme.includes(`\`lib/${folder}\``);
    expect(foldersOf(`src/${name}/lib`).filter((folder) => !isNamed(folder))).toEqual([]);
  });

  it.each(foldersOf('src'))('fits on a page: src/%s', (name) => {
    expect(readFileSync(`src/${name}/README.md`, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(
      60,
    );
  });
});

it('keeps the README of the repository within two pages', () => {
  expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});
