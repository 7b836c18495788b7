import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Runs a command line in a process of its own and lists the modules it loaded, those of Node left out. */
const modulesOf = (...args: string[]): readonly string[] => {
  const { stderr, status } = spawnSync(
    process.execPath,
    [
      '--conditions=@vitrine/source',
      '--import',
      path('support/listModules.mjs'),
      path('../../src/cli/lib/bin.ts'),
      ...args,
    ],
    { encoding: 'utf8' },
  );
  expect(status).toBe(0);
  return stderr.split('\n').filter((url) => url.startsWith('file:'));
};

const heavy =
  /\/node_modules\/(?:@inquirer|kysely|undici|csv-|pg|hono)|\/src\/(?:portal|portal-client|server|actions)\//;

describe('a command loads only what it needs', () => {
  it.each([[['--version']], [['--help']], [['completion', 'bash']]])('%j: no client, no portal', (args) => {
    const modules = modulesOf(...args);
    expect(modules.filter((url) => heavy.test(url))).toEqual([]);
    expect(modules.length).toBeLessThan(40);
  });

  it.each(['doctor', 'users', 'items', 'generate', 'keys', 'sync', 'provision', 'audit'])(
    '%s --help: nothing heavy',
    (name) => {
      expect(modulesOf(name, '--help').filter((url) => heavy.test(url))).toEqual([]);
    },
  );

  it('and the portal, when it is asked for', () => {
    expect(modulesOf('portal', '--help').some((url) => url.includes('/src/portal/'))).toBe(true);
  });
});
