import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let house = '';
beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'vitrine-lint-'));
  copyFileSync('.oxlintrc.json', join(house, '.oxlintrc.json'));
  symlinkSync(resolve('node_modules'), join(house, 'node_modules'));
});
afterAll(() => rmSync(house, { recursive: true }));

/** What the project's own lint rules say about a file of a package that imports `specifier`. */
const lint = (packageName: string, specifier: string): string => {
  const folder = join(house, 'src', packageName, 'lib');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'probe.ts');
  writeFileSync(file, `import { thing } from '${specifier}';\n\nexport const probe = thing;\n`);
  const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), ['--deny-warnings', file], {
    cwd: house,
    encoding: 'utf8',
  });
  rmSync(file);
  return stdout;
};

const packages = ['contract', 'react', 'portal-client', 'server', 'express', 'portal', 'cli'] as const;
const nameOf = (folder: string) => (folder === 'cli' ? 'vitrine' : `@vitrine/${folder}`);

const mayImport: Readonly<Record<(typeof packages)[number], readonly string[]>> = {
  contract: [],
  react: ['contract'],
  'portal-client': ['contract'],
  server: ['contract', 'portal-client'],
  express: ['contract', 'portal-client', 'server'],
  portal: ['contract'],
  cli: ['contract', 'portal-client', 'portal', 'server'],
};

describe.each(packages)('%s', (from) => {
  const allowed = mayImport[from];
  const refused = packages.filter((to) => to !== from && !allowed.includes(to));

  if (allowed.length > 0)
    it.each(allowed)('may import %s', (to) => {
      expect(lint(from, nameOf(to))).not.toContain('no-restricted-imports');
    });

  it.each(refused)('may not import %s, by name or by path', (to) => {
    expect(lint(from, nameOf(to))).toContain('no-restricted-imports');
    expect(lint(from, `../../${to}/lib/index.ts`)).toContain('no-restricted-imports');
  });
});

it('react may not import Node', () => {
  expect(lint('react', 'node:fs')).toContain('no-restricted-imports');
});
