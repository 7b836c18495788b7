import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = 'src/portal/lib';
const read = (file: string) => readFileSync(file, 'utf8');
const files = (pattern: string) => globSync(`${root}/${pattern}`).map((file) => file.replaceAll('\\', '/'));

/** What the files of a folder import from other folders of the portal, as `file -> import`. */
const importsOf = (folder: string): string[] =>
  files(`${folder}/**/*.ts`).flatMap((file) =>
    [...read(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)]
      .map(([, path = '']) => normalize(join(dirname(file), path)).replaceAll('\\', '/'))
      .filter((path) => !path.startsWith(`${root}/${folder}/`))
      .map((path) => `${file.slice(root.length + 1)} -> ${path.slice(root.length + 1)}`),
  );

describe('the folders of the portal', () => {
  it('share styles in `ui`, and no code between the console and the report page', () => {
    expect(files('ui/*')).toEqual([`${root}/ui/base.css`]);
    for (const sheet of ['console/app/console.css', 'reports/page/report.css'])
      expect(read(`${root}/${sheet}`)).toContain('@import "../../ui/base.css";');
    expect(importsOf('reports/page').length).toBeGreaterThan(5);
    expect(importsOf('reports/page').filter((line) => line.includes('-> console/'))).toEqual([]);
    expect(importsOf('console').filter((line) => line.includes('-> reports/page/'))).toEqual([]);
  });
});
