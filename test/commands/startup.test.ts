import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPortal, tenantEnvironment } from '@vitrine/portal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../src/cli/lib/createProgram.ts';
import { systemIo } from '../../src/cli/lib/io.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const listing = [
  '--conditions=@vitrine/source',
  '--import',
  path('support/listModules.mjs'),
  path('../../src/cli/lib/bin.ts'),
];

/** Runs a command line in its own process and lists the loaded modules, except those of Node. */
const modulesOf = (...args: string[]): readonly string[] => {
  const { stderr, status } = spawnSync(process.execPath, [...listing, ...args], { encoding: 'utf8' });
  expect(status).toBe(0);
  return stderr.split('\n').filter((url) => url.startsWith('file:'));
};

/** The same alongside a portal in this process, which has to answer meanwhile. */
const modulesAgainst = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
  const { stderr } = await promisify(execFile)(process.execPath, [...listing, ...args], {
    env: { ...process.env, ...env },
  });
  return stderr.split('\n').filter((url) => url.startsWith('file:'));
};

const heavy =
  /\/node_modules\/(?:@clack|kysely|zod|undici|csv-|pg|hono)|\/src\/(?:portal|portal-client|server|actions)\//;

describe('a command loads only the modules that it needs', () => {
  it.each([[['--version']], [['--help']], [['completion', 'bash']]])('%j: no client, no portal', (args) => {
    const modules = modulesOf(...args);
    expect(modules.filter((url) => heavy.test(url))).toEqual([]);
    expect(modules.length).toBeLessThan(40);
  });

  it('--version: not even the parser', () => {
    expect(modulesOf('--version').filter((url) => url.includes('/commander/'))).toEqual([]);
    // The control of the pattern above.
    expect(modulesOf('--help').some((url) => url.includes('/commander/'))).toBe(true);
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

  it('keys create: no limits and no queues of a host', async () => {
    const portal = await createPortal();
    onTestFinished(() => portal.close());
    const [acme] = portal.tenants;
    const { values } = tenantEnvironment(acme ?? expect.fail('The default seed has two tenants.'));
    const modules = await modulesAgainst(values, 'keys', 'create', '--item', '1043', '--user', 'jane');
    expect(modules.some((url) => url.includes('/src/portal-client/'))).toBe(true);
    expect(
      modules.filter((url) => /rate-limiter-flexible|\/server\/lib\/(?:node|keyEndpoint)\.ts/.test(url)),
    ).toEqual([]);
  });

  it('a portal without a seed file: no YAML', () => {
    const modules = modulesOf('portal', '--port', 'auto', '--run', `${process.execPath} --version`);
    expect(modules.some((url) => url.includes('/src/portal/'))).toBe(true);
    // The control of the pattern above: it sees zod where it is loaded.
    expect(modules.some((url) => heavy.test(url) && url.includes('/node_modules/zod/'))).toBe(true);
    expect(modules.filter((url) => url.includes('/node_modules/yaml/'))).toEqual([]);
  });
});
