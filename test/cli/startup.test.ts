import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemIo } from '../../src/cli/lib/io.ts';
import { createProgram } from '../../src/cli/lib/program/createProgram.ts';
import { temporaryFolder } from './support/runCommand.ts';

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

describe('a command loads only the modules that it needs', () => {
  it.each([[['--version']], [['--help']], [['completion', 'bash']]])('%j: no client, no portal', (args) => {
    const modules = modulesOf(...args);
    expect(modules.filter((url) => heavy.test(url))).toEqual([]);
    expect(modules.length).toBeLessThan(40);
  });

  it('the help of any command: nothing heavy', async () => {
    const context = { io: systemIo(), setExitCode: () => {} };
    const { commands } = await createProgram(context);
    const names = commands.map((command) => command.name());
    expect(names).toEqual(expect.arrayContaining(['portal', 'actions', 'users', 'conformance']));
    for (const name of names) {
      const modules = modulesOf(name, '--help');
      const unneeded = modules.filter((url) => heavy.test(url) || url.includes('/string-width/'));
      expect([name, unneeded]).toEqual([name, []]);
      expect(modules.length).toBeLessThan(70);
    }
  });

  it('the portal command: the portal', () => {
    const modules = modulesOf('portal', 'init', join(temporaryFolder(), 'seed.yaml'));
    expect(modules.some((url) => url.includes('/src/portal/'))).toBe(true);
  });

  it('a portal without a seed file: no YAML', () => {
    const modules = modulesOf('portal', '--port', 'auto', '--run', `${process.execPath} --version`);
    expect(modules.some((url) => url.includes('/src/portal/'))).toBe(true);
    expect(modules.filter((url) => url.includes('/node_modules/yaml/'))).toEqual([]);
  });
});
