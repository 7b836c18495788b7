import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain, settings } from '@vitrine/contract/service';
import { createPortal } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { sqliteInbox } from '@vitrine/server/actions';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createProgram } from '../../src/cli/lib/createProgram.ts';
import { systemIo } from '../../src/cli/lib/io.ts';
import { checks } from '../../src/contract/lib/service/advice.ts';
import { ourVersion } from '../packages/harness/versions.ts';
import { runCommand, temporaryFolder, words } from './support/runCommand.ts';

const program = await createProgram({ io: systemIo(), setExitCode: () => undefined });
type Command = typeof program;

/** Every command with its path. */
const walk = (command: Command, path: readonly string[]): { command: Command; path: readonly string[] }[] =>
  command.commands
    .filter((child) => !child.name().startsWith('__'))
    .flatMap((child) => [
      { command: child, path: [...path, child.name()] },
      ...walk(child, [...path, child.name()]),
    ]);

const commands = walk(program, []);
const helps = await Promise.all(commands.map(({ path }) => runCommand([...path, '--help'])));
/** What the help of the commands gives as examples. */
const examples = helps.flatMap(({ stdout }) =>
  [...stdout.matchAll(/^ {2}\$ (.*)$/gm)].map(([, line = '']) => line),
);

/** `vitrine --help` lists commands that are not loaded; here all of them are. */
const summariesOf = (all: Command) =>
  all.commands
    .filter((child) => !child.name().startsWith('__'))
    .map((child) => [child.name(), child.description().split('\n')[0]]);

const optionsOf = (all: readonly Command[]) => all.flatMap(({ options }) => options.map(({ long }) => long));
const flagsIn = (text: string) => text.match(/--[a-z][a-z-]*/g) ?? [];

describe('messages', () => {
  it('name only options that exist', () => {
    const flags = Object.values(settings).flatMap((names) => flagsIn(Object.values(names).join(' ')));
    expect(flags).toContain('--base-url');
    expect(optionsOf(commands.map(({ command }) => command))).toEqual(expect.arrayContaining(flags));
  });

  it('about a call name only options that each command with calls has', () => {
    const list = commands.find(({ path }) => path.join(' ') === 'users list')?.command;
    const calls = Object.keys(checks).filter((code) => code.startsWith('call_'));
    const flags = calls.flatMap((code) => flagsIn(explain({ code }, 'flag').check));
    expect(flags).toEqual(expect.arrayContaining(['--base-url', '--timeout']));
    expect(optionsOf(list === undefined ? [] : [list])).toEqual(expect.arrayContaining(flags));
    expect(explain({ code: 'call_server' }, 'flag').check).toBe('The portal failed; try again later.');
  });
});

describe('help', () => {
  it('shows the description that a command defines', async () => {
    const light = await createProgram({ io: systemIo(), setExitCode: () => undefined }, ['--help']);
    expect(summariesOf(light)).toEqual(summariesOf(program));
  });

  it.each(commands.map(({ path }) => path.join(' ')))(
    'of `vitrine %s` describes its purpose',
    async (path) => {
      const { exitCode, stdout, stderr } = await runCommand([...path.split(' '), '--help']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain(`Usage: vitrine ${path}`);
      expect(stdout.split('\n').filter((line) => line.trim() !== '').length).toBeGreaterThan(3);
      for (const line of stdout.split('\n'))
        if (!line.includes('$ ')) expect(line.length).toBeLessThanOrEqual(130);
    },
  );

  it('lists no option that does not apply', async () => {
    const helpOf = async (path: string) => (await runCommand([...path.split(' '), '--help'])).stdout;
    for (const path of [
      'users list',
      'users get',
      'items list',
      'tasks',
      'links',
      'audit list',
      'audit follow',
      'sync plan',
      'generate',
    ])
      expect([path, await helpOf(path)]).toEqual([path, expect.not.stringMatching(/--yes|--read-only/)]);
    for (const path of ['users create', 'users update', 'sync apply', 'roles create', 'units sync'])
      expect([path, await helpOf(path)]).toEqual([path, expect.stringMatching(/--read-only[^]*--yes/)]);
    const replace = await helpOf('audit export');
    expect(replace).toContain('--yes');
    expect(replace).not.toContain('--read-only');
    expect(await helpOf('portal export')).not.toMatch(/--port |--host|--seed|--run|--tenant|--database/);
    expect(await helpOf('portal')).toMatch(/--port [^]*--database/);
    expect(await helpOf('users list')).toContain('--base-url <url>');
  });

  it.each([[['--help']], [['help']], [['users', 'help', 'list']]])('is shown for %s', async (line) => {
    expect(await runCommand(line)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('of a subcommand is shown for `vitrine help users list` too', async () => {
    expect(await runCommand('help users list')).toEqual(await runCommand('users list --help'));
    for (const line of ['help nonsense', 'help users nonsense'])
      expect(await runCommand(line)).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining("unknown command 'nonsense'"),
      });
  });

  it.each(['', ...commands.map(({ path }) => path.join(' '))])(
    'of `vitrine %s` wraps at 40 columns, up to lines to copy',
    async (path) => {
      const { stdout } = await runCommand(`${path} --help`.trim(), { isTerminal: true, columns: 40 });
      const isCopied = (line: string) => /^(Usage:| {2}\$)/.test(line);
      const wide = stdout.split('\n').filter((line) => line.length > 40 && !isCopied(line));
      expect(wide).toEqual([]);
      expect(stdout.length).toBeGreaterThan(100);
    },
  );

  it.each([[['--version']], [['-V']]])('prints the version for %s', async (line) => {
    expect(await runCommand(line)).toEqual({ exitCode: 0, stdout: `${ourVersion}\n`, stderr: '' });
  });

  it('is offered for an unknown command, with the nearest name', async () => {
    const { exitCode, stderr } = await runCommand('usrs list');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Did you mean users?');
  });

  it('is named for an unknown subcommand, with the nearest name if there is one', async () => {
    expect((await runCommand('sync users')).stderr).toBe(
      "error: unknown command 'users'\nSee: vitrine sync --help\n",
    );
    expect((await runCommand('sync aply')).stderr).toContain('Did you mean apply?');
  });

  it.each(['nonsense --help', 'users nonsense --help', 'users nonsense -h'])(
    'is not shown for an unknown command: %s',
    async (line) => {
      expect(await runCommand(line)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringContaining("unknown command 'nonsense'"),
      });
    },
  );
});

const people = `E-Mail,First name,Last name,Roles
north.manager@acme.example,Regional manager,North and center,Viewer|Region North
new.planner@acme.example,New,Planner,Viewer
`;
const staff = `Kontakt;Rollen;Kostenstelle
north.manager@acme.example;Viewer|All regions;4711
`;
const scim = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: 1,
  Resources: [
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'north.manager@acme.example',
      name: { givenName: 'Regional manager', familyName: 'North and center' },
      active: true,
    },
  ],
};

/** Exit codes of examples that find pending changes and do not make them. */
const findsChanges = (line: string) => line.includes('sync plan');

describe('examples', () => {
  it('exist for every command of ours', () => {
    expect(examples.length).toBeGreaterThan(30);
  });

  /** A tenant and a folder with what an example needs. */
  const prepare = async (line: string) => {
    const portal = await createPortal();
    onTestFinished(() => portal.close());
    const tenant = portal.tenants[0]!;
    const env = {
      VITRINE_BASE_URL: tenant.baseUrl,
      VITRINE_TENANT_URL: tenant.tenantUrl,
      VITRINE_API_BASE_URL: tenant.apiBaseUrl,
      VITRINE_TENANT_ID: String(tenant.tenantId),
      VITRINE_TENANCY_NAME: tenant.tenancyName,
      VITRINE_API_KEY: tenant.apiKey,
      VITRINE_PASSPHRASE: tenant.passPhrase,
    };
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'rejected'));
    writeFileSync(join(cwd, 'people.csv'), people);
    writeFileSync(join(cwd, 'staff.csv'), staff);
    writeFileSync(join(cwd, 'scim-users.json'), JSON.stringify(scim));
    if (line.includes(' init')) {
      writeFileSync(
        join(cwd, 'package.json'),
        '{ "dependencies": { "vite": "*", "react": "*", "react-dom": "*" } }',
      );
      writeFileSync(join(cwd, 'vite.config.js'), 'export default { plugins: [] };');
    }
    if (line.includes('sync apply'))
      await runCommand('sync plan people.csv --default-type UserPass --out plan.json', { env, cwd });
    if (line.includes('former.analyst')) {
      await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
      await client.users.create({
        type: 'UserPass',
        email: 'former.analyst@acme.example',
        firstName: 'Former',
        lastName: 'Analyst',
      });
    }
    if (line.startsWith('vitrine actions')) {
      const inbox = sqliteInbox(join(cwd, 'actions.db'));
      for (let id = 1; id <= 17; id += 1)
        await inbox.append({ raw: Buffer.from(`{"id":${id}}`), receivedAtMs: Date.now() });
      await inbox.close();
    }
    return { tenant, env, cwd, args: words(line.replace('http://127.0.0.1:4460', portal.url)) };
  };

  it.each(examples)('run unchanged: %s', async (line) => {
    const { tenant, env, cwd, args } = await prepare(line);
    const { exitCode, stdout, stderr } = await runCommand(args, { env, cwd });
    expect(stderr).not.toContain('error');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: findsChanges(line) ? 2 : 0 });
    expect(`${stdout}${stderr}`).not.toContain(tenant.apiKey);
    expect(`${stdout}${stderr}`).not.toContain('\u001b');
  });

  // Stdout of `--run` belongs to its program, and `audit follow` prints one line for each record.
  const printsOneValue = (line: string) => !/^vitrine (portal .*--run|audit follow)/.test(line);

  it.each(examples.filter(printsOneValue))('print one JSON value with --json: %s', async (line) => {
    const { env, cwd, args } = await prepare(line);
    const { exitCode, stdout } = await runCommand([...args, '--json'], { env, cwd });
    expect([exitCode, JSON.parse(stdout)]).toEqual([findsChanges(line) ? 2 : 0, expect.anything()]);
  });

  it('have a JSON value too if a command finds nothing to do, or is not confirmed', async () => {
    const { env, cwd } = await prepare('');
    await runCommand('generate reports.ts', { env, cwd });
    writeFileSync(join(cwd, 'staff.csv'), 'email,roles\n');
    await runCommand('sync plan staff.csv --allow-empty --out plan.json', { env, cwd });
    for (const [line, result] of [
      ['generate reports.ts', { file: join(cwd, 'reports.ts'), isUpToDate: true }],
      ['generate other.ts --check', { file: join(cwd, 'other.ts'), isUpToDate: false }],
      ['sync apply plan.json', { isComplete: true, left: 0 }],
    ] as const)
      expect(JSON.parse((await runCommand(`${line} --json`, { env, cwd })).stdout)).toMatchObject(result);
    const saved = await runCommand(`portal export seed.json --url ${env.VITRINE_BASE_URL} --json`, {
      env,
      cwd,
    });
    expect(JSON.parse(saved.stdout)).toMatchObject({ written: join(cwd, 'seed.json') });
    const asked = { env, cwd, isTerminal: true, typed: 'n' };
    for (const line of ['users delete 1 --allow-administrators', 'api DELETE /v1/users/1'])
      expect(JSON.parse((await runCommand(`${line} --json`, asked)).stdout)).toEqual({ changed: false });
  });
});
