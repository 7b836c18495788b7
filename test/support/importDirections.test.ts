import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const packages = [
  'contract',
  'react',
  'portal-client',
  'server',
  'actions',
  'express',
  'portal',
  'cli',
] as const;
const nameOf = (folder: string) => (folder === 'cli' ? 'vitrine' : `@vitrine/${folder}`);

const mayImport: Readonly<Record<(typeof packages)[number], readonly string[]>> = {
  contract: [],
  react: ['contract'],
  'portal-client': ['contract'],
  server: ['contract', 'portal-client'],
  actions: ['contract', 'portal-client', 'server'],
  express: ['contract', 'portal-client', 'server', 'actions'],
  portal: ['contract'],
  cli: ['contract', 'portal-client', 'portal', 'server', 'actions'],
};

/** Every import that is looked at: from a package, of a specifier. */
const imports = packages.flatMap((from) =>
  packages
    .filter((to) => to !== from)
    .flatMap((to) => [nameOf(to), `../../${to}/lib/index.ts`])
    .concat('node:fs')
    .map((specifier) => ({ from, specifier })),
);
const fileOf = (index: number) => `src/${imports[index]?.from}/lib/probe${index}.ts`;

/** Files of which the project's own lint rules say that they import what they must not. */
let refused: ReadonlySet<string> = new Set();
beforeAll(() => {
  const house = mkdtempSync(join(tmpdir(), 'vitrine-lint-'));
  copyFileSync('.oxlintrc.json', join(house, '.oxlintrc.json'));
  symlinkSync(resolve('node_modules'), join(house, 'node_modules'));
  for (const [index, { specifier }] of imports.entries()) {
    const file = join(house, fileOf(index));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `import { thing } from '${specifier}';\n\nexport const probe = thing;\n`);
  }
  const args = ['--deny-warnings', '--format=json', 'src'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), args, { cwd: house, encoding: 'utf8' });
  // The format is oxlint's own.
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  refused = new Set(
    diagnostics.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename),
  );
  rmSync(house, { recursive: true });
});

const isRefused = (from: string, specifier: string): boolean => {
  const index = imports.findIndex((one) => one.from === from && one.specifier === specifier);
  return refused.has(fileOf(index));
};

describe.each(packages)('%s', (from) => {
  const allowed = mayImport[from];
  const forbidden = packages.filter((to) => to !== from && !allowed.includes(to));

  if (allowed.length > 0)
    it.each(allowed)('may import %s', (to) => {
      expect(isRefused(from, nameOf(to))).toBe(false);
    });

  it.each(forbidden)('may not import %s, by name or by path', (to) => {
    expect(isRefused(from, nameOf(to))).toBe(true);
    expect(isRefused(from, `../../${to}/lib/index.ts`)).toBe(true);
  });
});

it('react may not import Node', () => {
  expect(isRefused('react', 'node:fs')).toBe(true);
});
