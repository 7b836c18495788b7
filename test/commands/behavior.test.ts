import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { parse as parseCsv } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceFile } from '../../src/cli/lib/output/fileError.ts';
import { serve } from '../sync/support/serve.ts';
import { type CommandRun, runCommand, temporaryFolder, words } from './support/runCommand.ts';

let portal: Portal;
let tenant: PortalTenant;

beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  tenant = await portal.createTenant();
});

const vitrine = (line: string | readonly string[], run: CommandRun = {}) =>
  runCommand(line, {
    ...run,
    env: { VITRINE_BASE_URL: tenant.baseUrl, VITRINE_API_KEY: tenant.apiKey, ...run.env },
  });

/** The variables that a host app reads. */
const connection = () => ({
  VITRINE_TENANT_URL: tenant.tenantUrl,
  VITRINE_API_BASE_URL: tenant.apiBaseUrl,
  VITRINE_TENANT_ID: String(tenant.tenantId),
  VITRINE_TENANCY_NAME: tenant.tenancyName,
  VITRINE_PASSPHRASE: tenant.passPhrase,
});

const escape = '\u001b';

describe('results', () => {
  it('are tables that fit 80 columns on a terminal', async () => {
    for (const line of ['users list', 'roles list', 'units list', 'items list', 'tasks list', 'audit list']) {
      const { stdout } = await vitrine(line, { isTerminal: true, env: { NO_COLOR: '1' } });
      for (const row of stdout.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
    }
    expect((await vitrine('users list')).stdout).toMatch(
      /^ *ID +EMAIL +FIRST NAME +LAST NAME +TYPE +ROLES +ORGANIZATION UNITS\n *\d+ /,
    );
  });

  it('use the width of a wider terminal', async () => {
    const { stdout } = await vitrine('users list', { isTerminal: true, columns: 160 });
    expect(stdout).toContain('administrator@acme.example');
    expect(stdout).not.toContain('…');
  });

  it('are one JSON document for programs, complete and without messages', async () => {
    const { stdout, stderr } = await vitrine('users list --json');
    expect(JSON.parse(stdout).length).toBeGreaterThan(5);
    expect(stderr).toBe('');
    expect(JSON.parse((await vitrine('users list --json --limit 2')).stdout)).toHaveLength(2);
    expect(JSON.parse((await vitrine('audit list --action KeyRevoked --json')).stdout)).toEqual([]);
  });

  it('are complete in a file or pipe: no column and no row is truncated', async () => {
    await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
    const name = 'A'.repeat(60);
    for (let number = 0; number < 105; number += 1)
      await client.users.create({
        type: 'UserPass',
        email: `somebody-with-a-long-address-${number}@acme.example`,
        firstName: name,
        lastName: name,
        roles: ['Viewer'],
      });
    const piped = await vitrine('users list', { columns: 80 });
    expect(piped.stdout).not.toContain('…');
    expect(piped.stdout).toContain(`somebody-with-a-long-address-104@acme.example  ${name}  ${name}`);
    expect(piped.stderr).toBe('');
    const shown = await vitrine('users list', { isTerminal: true, columns: 80 });
    expect(shown.stdout).toContain('…');
    expect(shown.stderr).toContain('Only 100 users are shown.');
  });

  it('cut texts before times, types and numbers in a narrow terminal', async () => {
    await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
    await client.users.create({
      type: 'DirectoryADExternal',
      email: 'a@b.example',
      firstName: 'A',
      lastName: 'B',
    });
    const shown = async (line: string) =>
      stripVTControlCharacters((await vitrine(line, { isTerminal: true, columns: 100 })).stdout);
    for (const row of (await shown('audit list')).trimEnd().split('\n').slice(1))
      expect(row).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}/);
    expect(await shown('users list')).toMatch(/ DirectoryADExternal /);
    expect(await shown('items list')).toMatch(/ report +\w/);
  });

  it.each([40, 80])(
    'are not wider than a terminal with %i columns, or have a line for each field',
    async (columns) => {
      for (const line of [
        'users list',
        'items list',
        'roles list',
        'units list',
        'tasks list',
        'audit list',
      ]) {
        const shown = stripVTControlCharacters((await vitrine(line, { isTerminal: true, columns })).stdout);
        const widest = Math.max(...shown.split('\n').map(({ length }) => length));
        const isRecord = shown.split('\n')[1]?.split(/ {2,}/).length === 2 && !shown.includes('…');
        expect([line, widest <= columns || isRecord]).toEqual([line, true]);
      }
    },
  );

  it('show whole texts, a line for each field, where a table would cut them to nothing', async () => {
    const { stdout } = await vitrine('users list --limit 1', { isTerminal: true, columns: 40 });
    expect(stripVTControlCharacters(stdout)).toMatch(/^ID +\d+\nEMAIL +\S+@acme\.example\nFIRST NAME +\S/);
  });

  it('give programs item IDs as numbers, and every other identifier as text', async () => {
    await vitrine('users create --type UserPass --email a@acme.example --first-name A --last-name B --yes');
    const [item] = JSON.parse((await vitrine('items list --json')).stdout);
    const [task] = JSON.parse((await vitrine('tasks list --json')).stdout);
    const [record] = JSON.parse((await vitrine('audit list --json')).stdout);
    expect([typeof task.reportId, typeof record.id]).toEqual(['number', 'string']);
    expect(task.reportId).toBe(item.id);
  });

  it('state when a table is incomplete', async () => {
    const { stdout, stderr } = await vitrine('users list --limit 2');
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toContain('Only 2 users are shown. Raise --limit for the rest.');
    expect((await vitrine('users list --limit 2 --quiet')).stderr).toBe('');
  });

  it('use colors only on a terminal, and not with NO_COLOR', async () => {
    expect((await vitrine('users list', { isTerminal: true })).stdout).toContain(escape);
    for (const run of [{}, { isTerminal: true, env: { NO_COLOR: '1' } }])
      expect((await vitrine('users list', run)).stdout).not.toContain(escape);
  });

  it('use no colors on a terminal without color support', async () => {
    const dumb = { isTerminal: true, env: { TERM: 'dumb' } };
    expect((await vitrine('users list', dumb)).stdout).not.toContain(escape);
    const empty = { isTerminal: true, env: { NO_COLOR: '' } };
    expect((await vitrine('users list', empty)).stdout).toContain(escape);
  });

  it('reach a reader of a pipe completely that starts to read late', async () => {
    const body = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'A'.repeat(100) }));
    const { baseUrl, requests } = await serve(() => ({ body }));
    const script = fileURLToPath(new URL('../../scripts/vitrine.ts', import.meta.url));
    const child = spawn(
      process.execPath,
      ['--conditions=@vitrine/source', script, 'api', 'GET', '/v1/things'],
      {
        env: { ...process.env, VITRINE_BASE_URL: baseUrl, VITRINE_API_KEY: tenant.apiKey },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const exited = once(child, 'exit');
    await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(1);
    // A command that does not wait for its reader ends within this time.
    await Promise.race([exited, delay(500)]);
    expect(JSON.parse(await text(child.stdout))).toEqual(body);
    expect(await exited).toEqual([0, null]);
  });

  it.skipIf(!existsSync('/dev/full'))('fail with an error when they cannot be written', async () => {
    const script = fileURLToPath(new URL('../../scripts/vitrine.ts', import.meta.url));
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--conditions=@vitrine/source', script, 'completion', 'bash'], {
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const told = text(child.stderr ?? expect.fail('There is no stderr.'));
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(await told).toBe('Could not write the output (ENOSPC).\n');
  });

  it('escape control characters in values from other users', async () => {
    await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
    const [user] = await Array.fromAsync(client.users.list());
    await client.roles
      .create({ name: 'Evil \u001b]0;title\u0007\u202edlrow', type: 'Report' })
      .catch(() => undefined);
    await client.users.update(user?.id ?? 0, { firstName: 'A\u009bB\u202eC' }).catch(() => undefined);
    const { stdout } = await vitrine('roles list', { columns: 200 });
    const users = await vitrine('users list', { columns: 200 });
    expect(stdout + users.stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    const hostile = await serve(() => ({ body: { id: `1${escape}[2J`, [`name${escape}[2J`]: 'x' } }));
    const run = { env: { VITRINE_BASE_URL: hostile.baseUrl } };
    const shown = await vitrine('users get 1', run);
    const changed = await vitrine('users update 1 --last-name South --yes', run);
    expect(shown.stdout).toContain('x');
    expect(shown.stdout + changed.stdout + changed.stderr).not.toContain(escape);
  });
});

describe('errors', () => {
  it.each([
    ['users list', { VITRINE_BASE_URL: '' }, 'VITRINE_BASE_URL'],
    ['users list', { VITRINE_API_KEY: '' }, 'VITRINE_API_KEY'],
    [
      'users list',
      { VITRINE_BASE_URL: 'http://portal.example' },
      'VITRINE_BASE_URL is "http://portal.example": it uses http on the host "portal.example"',
    ],
    ['users list --limit none', {}, '--limit is "none". Use 1 or more.'],
    ['users list --limit 1.5', {}, '--limit is 1.5. Use a whole number.'],
    ['users list --limit 2 --all', {}, "'--limit <rows>' cannot be used with option '--all'"],
    ['portal export x.yaml --url nope', {}, '--url is a text of 4 characters: '],
    ['users list --timeout 0', {}, '--timeout is "0". Use 0.001 or more.'],
    ['users list --timeout 2147484', {}, '--timeout is "2147484". Use 2147483 at most.'],
    [
      'audit follow --checkpoint /dev/null',
      {},
      '"/dev/null" is not a file, so it was left alone. Choose another file with --checkpoint.',
    ],
    ['portal --seed /dev/zero', {}, 'Could not read the seed /dev/zero: it is not a file.'],
    ['sync plan /dev/zero --format csv', {}, 'Could not read /dev/zero: it is not a file.'],
    ['users get nobody@acme.example', {}, 'nobody@acme.example'],
    ['users create --email a@b.example --yes', {}, 'firstName'],
    ['users update 1', {}, 'Nothing to change'],
    ['audit list --from yesterday', {}, '--from'],
    ['sync plan', {}, 'Nothing to compare'],
    ['sync plan missing.csv', {}, '/missing.csv: the file does not exist. Compare its name.'],
    ['sync plan folder.csv', {}, '/folder.csv: it is a folder. Compare its name.'],
    ['sync plan --roles missing.json', {}, '/missing.json: the file does not exist. Compare its name.'],
    ['sync apply missing.json', {}, '/missing.json: the file does not exist. Create a plan with'],
    [
      'users list',
      { VITRINE_API_KEY: '', VITRINE_API_KEY_FILE: '/no-key' },
      'Could not read the file of the API key: the file does not exist. Check the path in --api-key-file or VITRINE_API_KEY_FILE.',
    ],
    ['completion tcsh', {}, 'bash, zsh, fish'],
    [
      'users list',
      { VITRINE_BASE_URL: 'http://127.0.0.1:9' },
      'The address was http://127.0.0.1:9, from VITRINE_BASE_URL.',
    ],
    [
      'keys create --item 1042 --user jane --env nofile',
      {},
      '/nofile: the file does not exist. Use a file with',
    ],
    ['users list', { VITRINE_BASE_URL: 'https://a.example/v1' }, 'VITRINE_BASE_URL contains the path of an'],
    [
      'users list',
      { VITRINE_BASE_URL: undefined, VITRINE_API_BASE_URL: 'http://127.0.0.1:9' },
      'The address was http://127.0.0.1:9, from VITRINE_API_BASE_URL.',
    ],
    ['users list --base-url https://a.example/v1', {}, '--base-url contains the path of an endpoint (/v1)'],
    [
      'users list',
      { VITRINE_API_KEY: '', VITRINE_APIKEY: 'x' },
      'No API key. Set VITRINE_API_KEY, or VITRINE_API_KEY_FILE to a file that contains it. VITRINE_APIKEY is not read: rename it to VITRINE_API_KEY.',
    ],
    [
      'users list',
      { VITRINE_BASE_URL: '', VITRINE_BASEURL: 'https://a.example' },
      ' VITRINE_BASEURL is not read: rename it to VITRINE_BASE_URL.',
    ],
    ['keys create --item 1042 --user=', {}, '--user is empty. Give it a value, or leave it out: --user <id>'],
    ['keys create --item 1042 --user jane --role=', {}, '--role is empty.'],
    ['users update 1 --roles=', {}, '--roles is empty.'],
    [
      'users list',
      { VITRINE_API_KEY: 'in two\nlines' },
      'VITRINE_API_KEY (--api-key-file) contains characters that are not allowed in a header. Pass',
    ],
    ['users get 999999', {}, '404'],
  ])('exit with 1 and a helpful sentence: %s %o', async (line, env, expected) => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'folder.csv'));
    const { exitCode, stdout, stderr } = await vitrine(line, { env, cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(expected);
    expect(stderr).not.toMatch(/ {4}at /);
    expect(stderr).not.toContain(tenant.apiKey);
  });

  it
    .skipIf(process.platform === 'win32')
    .each([
      'users list --api-key-file pipe',
      'users list --env pipe',
      'sync apply pipe',
      'sync plan pipe --format csv',
      'sync plan --roles pipe',
    ])('ends on Ctrl-C while nobody writes to the pipe that it reads: %s', async (line) => {
    const cwd = temporaryFolder();
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    const env = line.includes('key-file') ? { VITRINE_API_KEY: undefined } : {};
    const { exitCode, stderr } = await vitrine(line, { cwd, env, signal: AbortSignal.timeout(300) });
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/Stopped\.\n$/)]);
  });

  it('has 80 columns on a terminal that gives its width as 0', async () => {
    const text = async (columns: number) =>
      (await vitrine('users list', { isTerminal: true, columns })).stdout;
    expect(await text(0)).toBe(await text(80));
  });

  it('stand on one line, which a terminal wraps itself', async () => {
    const { stderr } = await vitrine('users get 999', { isTerminal: true, columns: 60 });
    expect(stderr.split('\n')[0]).toMatch(
      /^GET \/v1\/users\/999: .*Check the ID, the tenant and VITRINE_BASE_URL\.$/,
    );
  });

  it.each([
    [
      'users list',
      { VITRINE_BASE_URL: 'foo' },
      'VITRINE_BASE_URL is a text of 3 characters: it is not an absolute URL. Use the',
    ],
    [
      'users list --base-url foo',
      {},
      '--base-url is a text of 3 characters: it is not an absolute URL. Use the address of the portal,',
    ],
    [
      'users list',
      { VITRINE_BASE_URL: 'https://jane:hidden@portal.example/x?token=hidden' },
      'VITRINE_BASE_URL is "https://portal.example/x": it contains a user name or password.',
    ],
    [
      'users list',
      { VITRINE_BASE_URL: 'hidden-0123456789-0123456789-0123456789' },
      'VITRINE_BASE_URL is a text of 39 characters: it is not an absolute URL.',
    ],
    [
      'users list',
      { VITRINE_BASE_URL: 'hidden0123456789.acme.5e8009503e' },
      'VITRINE_BASE_URL is a text of 32 characters: it is not an absolute URL.',
    ],
    [
      'users list',
      { VITRINE_BASE_URL: 'hidden0123456789:tail' },
      'VITRINE_BASE_URL is a text of 21 characters: it is not an https address.',
    ],
    [
      'users list',
      { VITRINE_BASE_URL: 'https://portal.example/x#hidden' },
      'VITRINE_BASE_URL is "https://portal.example/x": it contains a fragment.',
    ],
  ])(
    'name the source of an unusable address and what it is, without secrets: %s %o',
    async (line, env, expected) => {
      const { exitCode, stderr } = await vitrine(line, { env });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining(expected)]);
      expect(stderr).not.toContain('hidden');
    },
  );

  it('show the address that was asked when its path is wrong', async () => {
    const VITRINE_BASE_URL = `${tenant.baseUrl}/foo`;
    for (const line of [
      'users list',
      'users get 1',
      'users create --type UserPass --email a@b.example --first-name A --last-name B --yes',
    ]) {
      const { stderr } = await vitrine(line, { env: { VITRINE_BASE_URL } });
      expect(stderr).toMatch(
        new RegExp(
          `\\(status 404\\).*The address was ${VITRINE_BASE_URL}/v1/[\\w/-]+: check VITRINE_BASE_URL\\.\\n`,
        ),
      );
      expect(stderr).not.toContain('?');
    }
    const page = await serve(() => ({ status: 404, body: '<html></html>' }));
    const { stderr } = await vitrine(`users get 1 --base-url ${page.baseUrl}`);
    expect(stderr).toContain(`The address was ${page.baseUrl}/v1/users/1: check --base-url.`);
  });

  it('name the variable or option of an address where something else responds', async () => {
    const other = await serve(() => ({ body: { hello: 'world' } }));
    const { stderr } = await vitrine('users list', { env: { VITRINE_BASE_URL: other.baseUrl } });
    expect(stderr).toContain(
      'The body is { hello }. Check that VITRINE_BASE_URL is the address of the administration API;',
    );
  });

  it('say that a server is not using TLS', async () => {
    const VITRINE_BASE_URL = tenant.baseUrl.replace('http:', 'https:');
    const { stderr } = await vitrine('users list --timeout 2', { env: { VITRINE_BASE_URL } });
    expect(stderr).toMatch(/The service at VITRINE_BASE_URL is not using TLS\. Compare its scheme and port/);
  });

  it('say that an argument is empty', async () => {
    for (const [line, noun] of [
      ['users get', 'ID'],
      ['units sync', 'ID'],
      ['sync apply', 'plan'],
    ] as const) {
      const { exitCode, stderr } = await vitrine([...line.split(' '), '']);
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringMatching(`^The ${noun} is empty\\. Usage: vitrine ${line} <`),
      ]);
    }
  });

  it('name each field that the portal rejected, once, and the request ID for support', async () => {
    const create = 'users create --type UserPass --first-name " " --last-name B --yes';
    expect((await vitrine(`${create} --email foo`)).stderr).toMatch(
      /^POST \/v1\/users: The portal refused the request \(status 400\)\.\n {2}email: must be an email address, not "foo"\n {2}firstName: must not be empty\n {2}request [\w-]+\n$/,
    );
    const { id } = JSON.parse(
      (await vitrine('units create --name Plain --parent-id root --yes --json')).stdout,
    );
    expect((await vitrine(`units sync ${id} --yes`)).stderr).toMatch(
      /^POST \S+: The portal refused the request \(status 409\)\. [^\n]+\n {2}directoryGroupId: the unit is not linked to a group of the identity directory\n {2}request [\w-]+\n$/,
    );
    const service = await serve(() => ({
      status: 400,
      body: {
        message: 'The grizzly bear is not valid.',
        validationErrors: [{ field: 'roles[0]', message: 'is unknown' }],
      },
    }));
    const env = { VITRINE_BASE_URL: service.baseUrl };
    expect((await vitrine(`${create} --email a@b.example --roles X`, { env })).stderr).toBe(
      'POST /v1/users: The portal refused the request (status 400). It said: "The grizzly bear is not valid".\n  roles[0]: is unknown\n',
    );
    // A secret is masked where the portal repeats it, and nowhere else.
    const masking = { ...env, VITRINE_PASSPHRASE: 'grizzly bear' };
    expect((await vitrine(`${create} --email a@b.example`, { env: masking })).stderr).toBe(
      'POST /v1/users: The portal refused the request (status 400). It said: "The *** is not valid".\n  roles[0]: is unknown\n',
    );
    expect((await vitrine(`${create} --email a@b.example`, { env })).stderr).toContain(
      '\n  roles[0]: is unknown\n',
    );
  });

  it('name the options of a range that ends before it starts', async () => {
    const { exitCode, stderr } = await vitrine('audit export --from 1d --to 2d', { cwd: temporaryFolder() });
    expect([exitCode, stderr]).toEqual([1, '--to "2d" is before --from "1d". Use a later end.\n']);
  });
});

describe('keys create', () => {
  const create = (options = '', run: CommandRun = {}) =>
    vitrine(`keys create --item 1042 --user jane --role region-north ${options}`, {
      ...run,
      env: { ...connection(), ...run.env },
    });

  it('reads its variables, including the API key, from a file', async () => {
    const cwd = temporaryFolder();
    const variables = { ...connection(), VITRINE_API_KEY: tenant.apiKey };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(cwd, 'variables'), lines.join('\n'));
    const { exitCode, stdout } = await runCommand('keys create --item 1042 --user jane --env variables', {
      cwd,
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('/report/1042?ev=')]);
  });

  it('names the option for a file when variables are missing', async () => {
    const { exitCode, stderr } = await runCommand('keys create --item 1042 --user jane', {
      cwd: temporaryFolder(),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('VITRINE_TENANT_URL');
    expect(stderr).toContain('Set them, or name their file with --env;');
    expect(stderr).not.toContain('portalFromEnv');
  });

  it('says what to correct in terms of the command line', async () => {
    const { stderr } = await create('--role nope');
    expect(stderr).toContain('Compare --role with');
    expect(stderr).not.toContain('viewer()');
  });

  it('prints a URL that opens the report', async () => {
    const { exitCode, stdout, stderr } = await create('--lifetime 5m');
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Valid until 20\S+\.\n$/);
    const { host, port, pathname, search } = new URL(stdout.trim());
    // Not every resolver knows the names under localhost.
    const page = get({ host: '127.0.0.1', port, path: pathname + search, headers: { host } });
    const [answer]: IncomingMessage[] = await once(page, 'response');
    expect(answer?.statusCode).toBe(200);
    expect(await text(answer ?? expect.fail('There is no answer.'))).toContain('Sales by region');
  });

  it('prints JSON for programs', async () => {
    const { itemId, url, expiresAt } = JSON.parse((await create('--json')).stdout);
    expect(itemId).toBe(1042);
    expect(url).toMatch(/\/report\/1042\?ev=/);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  });

  it('shows the key on a terminal only with --show', async () => {
    for (const options of ['', '--json']) {
      const hidden = await create(options, { isTerminal: true });
      expect(hidden.exitCode).toBe(0);
      expect(hidden.stdout + hidden.stderr).not.toContain('ev=');
      expect(hidden.stderr).toContain('add --show');
      expect((await create(`${options} --show`, { isTerminal: true })).stdout).toContain('?ev=');
    }
  });

  it.each([
    ['--lifetime 25h', {}, '--lifetime is "25h"'],
    ['--item none', {}, '--item is "none"'],
    ['--item 9999', {}, 'does not exist'],
    ['', { VITRINE_PASSPHRASE: '' }, 'VITRINE_PASSPHRASE'],
    ['', { VITRINE_PASSPHRASE: 'not-the-right-one' }, 'passphrase'],
  ])('reports what is wrong without showing a secret: %s %o', async (options, env, message) => {
    const { exitCode, stdout, stderr } = await create(options, { env });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(message);
    for (const secret of [tenant.apiKey, tenant.passPhrase, 'not-the-right-one'])
      expect(stderr).not.toContain(secret);
  });
});

describe('the API key', () => {
  it('is read from a file named by an option or a variable', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'key'), `${tenant.apiKey}\n`);
    const noKey = { VITRINE_API_KEY: undefined };
    expect((await vitrine('users list --api-key-file key', { env: noKey, cwd: folder })).exitCode).toBe(0);
    const env = { ...noKey, VITRINE_API_KEY_FILE: join(folder, 'key') };
    expect((await vitrine('users list', { env })).exitCode).toBe(0);
  });

  it('cannot be passed as an argument, where other users of the machine could see it', async () => {
    const { exitCode, stderr } = await vitrine(['users', 'list', '--api-key', 'secret']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("unknown option '--api-key'");
  });
});

describe('a destructive command', () => {
  const userCount = async () => JSON.parse((await vitrine('users list --json')).stdout).length;

  it('requires an interactive terminal or --yes', async () => {
    const before = await userCount();
    const asked = await vitrine('users delete north.manager@acme.example');
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toContain('Add --yes');
    expect(await userCount()).toBe(before);
  });

  it.each([
    [
      'users create --type UserPass --email a@b.example --first-name A --last-name B',
      'Create the user a@b.example?',
    ],
    [
      'users update administrator@acme.example --roles Viewer --allow-administrators',
      'Roles to remove: Tenant administrator, All regions.',
    ],
    ['roles create --type Report --name Asked', 'Create the role Asked?'],
    ['units create --name Asked --parent-id root', 'Create the organizational unit Asked?'],
    ['units sync 1', 'Add and remove members of the unit 1'],
    [
      `items create --type report --workspace-id ${crypto.randomUUID()} --report-id ${crypto.randomUUID()} --display-name Asked`,
      'Create the item Asked?',
    ],
  ])('asks for confirmation: %s', async (line, question) => {
    const newest = async () => (await vitrine('audit list --limit 1 --json')).stdout;
    const before = await newest();
    const { exitCode, stderr } = await vitrine(line);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(question)]);
    expect(stderr).toContain('Add --yes');
    expect(await newest()).toBe(before);
  });

  it.each([
    [
      'delete administrator@acme.example',
      'administrator@acme.example would lose the administrator role "Tenant administrator".',
    ],
    [
      'update administrator@acme.example --roles Viewer',
      'administrator@acme.example would lose the administrator role "Tenant administrator".',
    ],
  ])(
    'takes no role from an administrator unless the option that it names is set: %s',
    async (line, effect) => {
      const { exitCode, stderr } = await vitrine(`users ${line} --yes`);
      expect([exitCode, stderr]).toEqual([1, `${effect} Add --allow-administrators if this is intended.\n`]);
      expect((await vitrine('users get administrator@acme.example')).stdout).toContain(
        'Tenant administrator',
      );
      expect((await vitrine(`users ${line} --yes --allow-administrators`)).exitCode).toBe(0);
    },
  );

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('exits without changes when the prompt is canceled with %s', async (_name, typed) => {
    const before = await userCount();
    const left = await vitrine('users delete north.manager@acme.example', { isTerminal: true, typed });
    expect(left.exitCode).toBe(1);
    expect(left.stderr).toMatch(/Stopped\.\n$/);
    expect(left.stderr).not.toContain('SIGINT');
    expect(await userCount()).toBe(before);
  });

  it.each([40, 0])('asks in lines on a terminal that says it has %i columns', async (columns) => {
    const run = { isTerminal: true, typed: 'n', columns };
    const { stderr } = await vitrine('users delete north.manager@acme.example', run);
    expect(stripVTControlCharacters(stderr)).toContain('Delete north.manager@acme.example');
  });

  it('deletes nothing when Enter is typed before the question, and again after it', async () => {
    const before = await userCount();
    const typed = 'll\n\r';
    const kept = await vitrine('users delete north.manager@acme.example', { isTerminal: true, typed });
    expect([kept.exitCode, kept.stderr]).toEqual([0, expect.stringMatching(/Nothing was changed\.\n$/)]);
    expect(await userCount()).toBe(before);
  });

  it('changes nothing with --read-only, not even with --yes', async () => {
    const [user] = JSON.parse((await vitrine('users list --json')).stdout);
    const { exitCode, stderr } = await vitrine(
      `users delete ${user.id} --yes --read-only --allow-administrators`,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Nothing was changed, because of --read-only. Leave it out to write.');
  });

  it('says what it did', async () => {
    const { stderr } = await vitrine('users delete north.manager@acme.example --yes');
    expect(stderr).toMatch(/^Deleted user \d+\.\n$/);
    expect((await vitrine('users delete south.manager@acme.example')).stderr).toMatch(
      /^Delete south\.manager@acme\.example \(\d+\) permanently\?\n/,
    );
  });

  it('rejects an address that two users share', async () => {
    const twins = [1, 2].map((id) => ({ id, email: 'twin@acme.example' }));
    const service = await serve(() => ({ body: { items: twins, totalCount: 2 } }));
    const { exitCode, stderr } = await vitrine('users delete Twin@acme.example --yes', {
      env: { VITRINE_BASE_URL: service.baseUrl },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Use the ID of one: 1, 2.');
    expect(service.requests.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('rejects a misspelled role to protect, which would protect nobody', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'email\nnorth.manager@acme.example\n');
    const plan = (role: string) =>
      vitrine(`sync plan people.csv --missing delete --json --protect-role "${role}"`, { cwd });
    const { exitCode, stdout, stderr } = await plan('Tenant adminstrator');
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('The tenant has no role "Tenant adminstrator"');
    expect(JSON.parse((await plan('Tenant administrator')).stdout).counts.protected).toBeGreaterThan(0);
  });

  it('plans no removal of users whose roles the portal does not show when a role is protected', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'email\na@acme.example\n');
    const listOf = (rows: readonly object[]) => ({ body: { items: rows, totalCount: rows.length } });
    const service = await serve(({ path }) => {
      if (path === '/v1/roles') return listOf([{ id: 1, name: 'Administrator', type: 'System' }]);
      if (path !== '/v1/users') return listOf([]);
      return listOf(['a', 'b'].map((name, id) => ({ id, email: `${name}@acme.example` })));
    });
    const { stdout } = await vitrine(
      'sync plan people.csv --missing delete --json --protect-role Administrator',
      { cwd, env: { VITRINE_BASE_URL: service.baseUrl } },
    );
    expect(JSON.parse(stdout).counts).toMatchObject({ delete: 0, protected: 1 });
  });

  it('makes no removals above the cap', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'email,first name\nnorth.manager@acme.example,Changed\n');
    const before = await userCount();
    const plan = await vitrine('sync plan people.csv --missing delete --out plan.json', { cwd });
    expect(plan.exitCode).toBe(2);
    expect(plan.stdout).toMatch(/Plan: \d+ to delete, 1 to update, 0 already synced\./);
    const applied = await vitrine('sync apply plan.json --yes --allow-removals', { cwd });
    expect(applied.exitCode).toBe(1);
    expect(applied.stderr).toContain('--max-removal-percent (5%) allows');
    const careful = await vitrine('sync apply plan.json --yes', { cwd });
    expect(careful).toMatchObject({ exitCode: 2, stdout: '1 changed.\n' });
    expect(careful.stderr).toContain('removals were skipped');
    expect(await userCount()).toBe(before);
  });
});

describe('sync', () => {
  const source =
    'email;first name;last name;type;roles\nnorth.manager@acme.example;New;Name;DirectoryAD;Viewer\n';

  it('exits with 2 when there are changes, and with 0 once they are made', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), source);
    expect((await vitrine('sync plan people.csv --out plan.json', { cwd })).exitCode).toBe(2);
    expect((await vitrine('sync apply plan.json --yes', { cwd })).exitCode).toBe(0);
    const again = await vitrine('sync plan people.csv', { cwd });
    expect(again).toMatchObject({ exitCode: 0, stdout: 'Nothing to do: 1 already synced.\n' });
  });

  it('plans and applies with the same files every night', async () => {
    const cwd = temporaryFolder();
    for (const name of ['One', 'Two', 'Three']) {
      writeFileSync(join(cwd, 'people.csv'), `email,first name\nnorth.manager@acme.example,${name}\n`);
      expect((await vitrine('sync plan people.csv --out plan.json', { cwd })).exitCode).toBe(2);
      const applied = await vitrine('sync apply plan.json --yes --allow-removals', { cwd });
      expect(applied).toMatchObject({ exitCode: 0, stdout: '1 changed.\n' });
    }
  });

  it('prints no table when JSON was requested', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), source);
    await vitrine('sync plan people.csv --out plan.json', { cwd });
    const { exitCode, stdout } = await vitrine('sync apply plan.json --json', { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  });

  it.skipIf(process.platform === 'win32')(
    'is saved over no pipe, folder or device, also behind a link',
    async () => {
      const cwd = temporaryFolder();
      writeFileSync(join(cwd, 'people.csv'), source);
      const isRoot = process.getuid?.() === 0;
      mkdirSync(join(cwd, 'folder'));
      execFileSync('mkfifo', [join(cwd, 'pipe')]);
      // A device of its own, like /dev/null.
      if (isRoot) execFileSync('mknod', [join(cwd, 'device'), 'c', '1', '3']);
      symlinkSync('pipe', join(cwd, 'link'));
      for (const name of ['folder', 'pipe', 'link', ...(isRoot ? ['device'] : [])]) {
        const before = lstatSync(join(cwd, name));
        const { exitCode, stderr } = await vitrine(`sync plan people.csv --out ${name}`, { cwd });
        expect([exitCode, stderr]).toEqual([
          1,
          `"${name}" is not a file, so it was left alone. Choose another file with --out.\n`,
        ]);
        const writing = replaceFile(join(cwd, name), 'text', 'write it', 'Choose another.');
        const reason = name === 'folder' ? 'it is a folder' : 'it is not a file';
        await expect(writing).rejects.toThrow(`Could not write it: ${reason}. Choose another.`);
        const { ino, mode } = lstatSync(join(cwd, name));
        expect([ino, mode]).toEqual([before.ino, before.mode]);
      }
    },
  );

  it('fails when the plan cannot be saved', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), source);
    const { exitCode, stderr } = await vitrine('sync plan people.csv --out nowhere/plan.json', { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `Could not save the plan to ${join(cwd, 'nowhere/plan.json')}: its folder does not exist. Choose another file with --out.`,
    );
  });

  it('exits with 2 when something was left out: a removal that is not allowed, or a conflict', async () => {
    const cwd = temporaryFolder();
    const run = async (text: string) => {
      writeFileSync(join(cwd, 'people.csv'), text);
      await vitrine('sync plan people.csv --missing disable --out plan.json', { cwd });
      return vitrine('sync apply plan.json --yes --quiet', { cwd });
    };
    const removals = await run('email\nadministrator@acme.example\n');
    expect(removals).toMatchObject({
      exitCode: 2,
      stderr: '6 removals were skipped. Add --allow-removals to include them.\n',
    });
    const kept = await vitrine('sync apply plan.json --yes --quiet --read-only', { cwd });
    expect([kept.exitCode, kept.stdout]).toEqual([1, '']);
    expect(kept.stderr).toMatch(/^Make 0 changes at .*\nNothing was changed, because of --read-only\./);
    expect((await run('email\nadministrator@acme.example\nadministrator@acme.example\n')).exitCode).toBe(2);
    await vitrine('sync plan people.csv --out plan.json', { cwd });
    // Only a conflict
    expect((await vitrine('sync apply plan.json --yes', { cwd })).exitCode).toBe(2);
  });

  it('shows with --quiet why nobody is removed, and no other note', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'email\nadministrator@acme.example\nbroken\n');
    const { stderr } = await vitrine('sync plan people.csv --missing disable --out plan.json --quiet', {
      cwd,
    });
    expect(stderr).toBe(
      'Note: No user is removed, because 1 row lacks a valid email address. Correct the source and plan again.\n',
    );
  });

  it('names no next step when there is nothing to do', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'email\nadministrator@acme.example\n');
    const { stderr } = await vitrine('sync plan people.csv --out plan.json', { cwd });
    expect(stderr).toMatch(/Saved to plan\.json\.\n$/);
  });

  describe.skipIf(process.platform !== 'linux')('on a full disk', () => {
    it('keeps the plan that is there', async () => {
      const cwd = temporaryFolder();
      writeFileSync(join(cwd, 'people.csv'), source);
      writeFileSync(join(cwd, 'plan.json'), '{"format":"vitrine-sync-plan"}');
      symlinkSync('/dev/full', join(cwd, `plan.json.${process.pid}.tmp`));
      const { exitCode, stderr } = await vitrine('sync plan people.csv --out plan.json', { cwd });
      expect([exitCode, stderr]).toEqual([
        1,
        `Could not save the plan to ${join(cwd, 'plan.json')}: the disk is full. Free some space, and run the same command again.\n`,
      ]);
      expect(readFileSync(join(cwd, 'plan.json'), 'utf8')).toBe('{"format":"vitrine-sync-plan"}');
      expect(readdirSync(cwd).toSorted()).toEqual(['people.csv', 'plan.json']);
    });

    it('leaves no part of an export', async () => {
      const cwd = temporaryFolder();
      symlinkSync('/dev/full', join(cwd, `audit.csv.${process.pid}.tmp`));
      const { exitCode, stderr } = await vitrine('audit export --format csv', { cwd });
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining(': the disk is full. Free some space, and run the same command again.'),
      ]);
      expect(readdirSync(cwd)).toEqual([]);
    });
  });

  it('rejects a plan that was edited by hand', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), `${source}new.one@acme.example;New;One;UserPass;Viewer\n`);
    await vitrine('sync plan people.csv --out plan.json', { cwd });
    const text = readFileSync(join(cwd, 'plan.json'), 'utf8');
    // Control: its layout does not matter.
    writeFileSync(join(cwd, 'plan.json'), JSON.stringify(JSON.parse(text), undefined, 2));
    expect((await vitrine('sync apply plan.json', { cwd })).stderr).toContain('Make 2 changes at');
    writeFileSync(join(cwd, 'plan.json'), text.replaceAll('new.one@', 'new.two@'));
    const { exitCode, stderr } = await vitrine('sync apply plan.json --yes', { cwd });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Plan again.')]);
  });

  it('shows dangerous changes first and in full, with counts for each kind', async () => {
    const cwd = temporaryFolder();
    const long = `somebody-with-a-very-long-address-${'x'.repeat(60)}@acme.example`;
    await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
    const unit = await client.organizationUnits.create({ name: 'Partners', parentId: 'root' });
    await client.users.create({
      type: 'UserPass',
      email: long,
      firstName: 'A',
      lastName: 'B',
      roles: ['Viewer'],
      organizationUnits: [unit.id],
    });
    const rows = Array.from(
      { length: 60 },
      (_, index) => `new-${index}@acme.example,New,One,UserPass,Viewer,/Partners`,
    );
    writeFileSync(
      join(cwd, 'people.csv'),
      `email,first name,last name,type,roles,organizationUnits\nadministrator@acme.example,,,,Viewer,\n${rows.join('\n')}\n`,
    );
    const plan = 'sync plan people.csv --missing delete';
    const { stdout } = await vitrine(plan, { cwd, isTerminal: true, columns: 80, env: { NO_COLOR: '1' } });
    const headings = [...stdout.matchAll(/^([A-Z][\w ]+): \d/gm)].map(([, title]) => title);
    expect(headings).toEqual(['Users to delete', 'Administrators who lose a role', 'Creations', 'Plan']);
    expect(stdout).toContain(`-  delete user  ${long}`);
    expect(stdout).toContain('had Viewer; in /Partners');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('roles: -Tenant administrator, -All regions, +Viewer');
    expect(stdout).toContain('… and 10 more. Add --all to see them.');
    expect(stdout).toMatch(/Plan: \d to delete, 1 to update, 60 users to create, 0 already synced\.\n$/);
    const narrow = await vitrine(plan, { cwd, isTerminal: true, columns: 40, env: { NO_COLOR: '1' } });
    expect(narrow.stdout).toContain(
      '+  create user  new-1@acme.example\n    New One, Viewer; in /Partners\n',
    );
    const lines = narrow.stdout.split('\n').filter((text) => text.startsWith(' '));
    expect(Math.max(...lines.map((text) => text.length))).toBeLessThanOrEqual(40);
    const whole = await vitrine(`${plan} --all`, { cwd, isTerminal: true, columns: 80 });
    expect(whole.stdout).toContain('new-59@acme.example');
    expect((await vitrine(`${plan} --all`, { cwd })).stdout).toContain('new-59@acme.example');
  });

  it('shows the units of a removed user who has no roles', async () => {
    const cwd = temporaryFolder();
    await using client = createPortalClient({ baseUrl: tenant.baseUrl, apiKey: tenant.apiKey });
    const { id } = await client.organizationUnits.create({ name: 'Partners', parentId: 'root' });
    await client.users.create({
      type: 'UserPass',
      email: 'no-roles@acme.example',
      firstName: 'A',
      lastName: 'B',
      organizationUnits: [id],
    });
    writeFileSync(join(cwd, 'people.csv'), 'email\nadministrator@acme.example\n');
    const { stdout } = await vitrine('sync plan people.csv --missing delete', { cwd });
    expect(stdout).toMatch(/no-roles@acme\.example +was in \/Partners\n/);
  });

  it('removes no role from an administrator unless the option that it names is set', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'email,roles\nadministrator@acme.example,Viewer\n');
    await vitrine('sync plan people.csv --out plan.json', { cwd });
    const rolesOf = async () =>
      JSON.parse((await vitrine('users get administrator@acme.example --json')).stdout).roles;
    const before = await rolesOf();
    const kept = await vitrine('sync apply plan.json --yes', { cwd });
    expect(kept.stderr).toContain(
      '1 change that adds or removes an administrator was skipped. Add --allow-administrators to include it.',
    );
    expect(await rolesOf()).toEqual(before);
    const asked = await vitrine('sync apply plan.json --allow-administrators', { cwd });
    expect(asked.stderr).toContain('Make 1 change at');
    expect(asked.stdout).toContain('Administrators who lose a role: 1');
    await vitrine('sync apply plan.json --yes --allow-administrators', { cwd });
    expect(await rolesOf()).toEqual(['Viewer']);
  });

  it('marks an administrator who would be removed, and skips the removal unless both options are set', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'people.csv'),
      'email,first name,last name,type,roles\nnew@acme.example,N,N,UserPass,Viewer\n',
    );
    const plan = 'sync plan people.csv --missing delete --out plan.json';
    expect((await vitrine(plan, { cwd })).stdout).toMatch(
      /delete user +administrator@acme\.example +an administrator: had Tenant administrator/,
    );
    const apply = 'sync apply plan.json --allow-removals --max-removal-percent 100';
    const { stderr } = await vitrine(apply, { cwd });
    expect(stderr).toContain('Not allowed, and skipped: 1.');
    const applied = await vitrine(`${apply} --yes`, { cwd });
    expect(applied.stderr).toContain(
      '1 change that adds or removes an administrator was skipped. Add --allow-administrators to include it.',
    );
    expect((await vitrine('users get administrator@acme.example')).exitCode).toBe(0);
  });

  it('fails when the file contains no users, unless the option that it names is set', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'email,roles\n');
    const { exitCode, stderr } = await vitrine('sync plan people.csv', { cwd });
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'The source contains no users. Check the source; if this is intended, set --allow-empty.\n',
    );
    const accepted = await vitrine('sync plan people.csv --allow-empty', { cwd });
    expect([accepted.exitCode, accepted.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
  });

  it('maps columns, says which it skipped, and clears lists only with the respective option', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), 'Kontakt,Rollen,Notiz\nadministrator@acme.example,,x\n');
    const plan = (options: string) => vitrine(`sync plan people.csv --json ${options}`, { cwd });
    expect((await plan('')).stderr).toContain(
      'say which one it is with --map, or what the file is with --source.',
    );
    expect((await vitrine('sync plan people.csv --map email=Kontakt', { cwd })).stderr).toContain(
      'Read as: the fields of a user. Used: email (Kontakt). Skipped: Rollen, Notiz.',
    );
    const map = '--map email=Kontakt --map roles=Rollen';
    expect(JSON.parse((await plan(map)).stdout).actions).toEqual([]);
    expect(JSON.parse((await plan(`${map} --empty-clears`)).stdout).actions).toMatchObject([
      { to: { roles: [] }, dangers: ['left_without_access', 'administrator_lost'] },
    ]);
    expect((await plan('--map mail=Kontakt')).stderr).toContain('--map is "mail=Kontakt"');
  });

  it('names a role that the tenant does not have, and uses the other rows', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'people.csv'),
      'email,roles,firstName\nadministrator@acme.example,Veiwer,\nnorth.manager@acme.example,,New\n',
    );
    const { exitCode, stdout } = await vitrine('sync plan people.csv', { cwd });
    expect(exitCode).toBe(2);
    expect(stdout).toContain('line 2 cannot be used: the tenant has no role "Veiwer".');
    expect(stdout).toContain('Plan: 1 to update, 1 conflict, 0 already synced.');
  });

  it('creates what a new customer needs: units, roles, reports and users', async () => {
    const cwd = temporaryFolder();
    const people =
      'email,firstName,lastName,type,roles,organizationUnits\nnew@acme.example,New,One,UserPass,Acme viewers,/Customers/Acme/Sales\n';
    writeFileSync(join(cwd, 'people.csv'), people);
    writeFileSync(join(cwd, 'roles.json'), '[{"name":"Acme viewers","type":"Report"}]');
    writeFileSync(join(cwd, 'units.json'), '[{"path":"/Customers/Acme"}]');
    const plan = 'sync plan people.csv --roles roles.json --units units.json --create-missing';
    const { stdout } = await vitrine(`${plan} --out plan.json`, { cwd });
    expect(stdout).toContain('Plan: 1 user to create, 1 role to create, 3 units to create');
    expect((await vitrine('sync apply plan.json --yes', { cwd })).stdout).toBe('5 created.\n');
    expect((await vitrine(plan, { cwd })).stdout).toMatch(/^Nothing to do/);
  });

  it('reads its source from stdin', async () => {
    const { exitCode, stdout } = await vitrine('sync plan - --format csv --json', { stdin: source });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ counts: { update: 1 } });
  });

  it('plans nothing from an incomplete file', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'people.csv'), `${source}"broken`);
    const { exitCode, stdout, stderr } = await vitrine('sync plan people.csv --missing delete', { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('Nothing was planned.');
  });

  it('shows progress on a terminal, and nothing elsewhere', async () => {
    const cwd = temporaryFolder();
    const rows = Array.from(
      { length: 30 },
      (_, index) => `member-${index}@acme.example;M;Number ${index};UserPass;Viewer`,
    );
    writeFileSync(join(cwd, 'people.csv'), `email;first name;last name;type;roles\n${rows.join('\n')}\n`);
    await vitrine('sync plan people.csv --out plan.json', { cwd });
    const applied = await vitrine('sync apply plan.json --yes', { cwd, isTerminal: true });
    expect(applied.stderr).toMatch(/Applying 100% 30\/30/);
    expect(applied.stdout).toContain('30 created.');
    const quiet = await vitrine('sync plan people.csv', { cwd });
    expect(quiet.stderr).not.toContain('Planning');
  });
});

describe('the audit log', () => {
  it('is followed from the point of a failure, without showing a record again', async () => {
    const cwd = temporaryFolder();
    let looks = 0;
    const record = { id: 'one', actionType: 'UserCreated', timestamp: '2026-11-20T08:00:00Z' };
    const service = await serve(() =>
      (looks += 1) === 1 ? { body: { items: [record], totalCount: 1 } } : { status: 403 },
    );
    const { exitCode, stdout } = await vitrine(
      'audit follow --from 2026-11-20 --json --poll 0.1 --checkpoint log.checkpoint',
      { cwd, env: { VITRINE_BASE_URL: service.baseUrl } },
    );
    expect([exitCode, JSON.parse(stdout).id]).toEqual([1, 'one']);
    expect(JSON.parse(readFileSync(join(cwd, 'log.checkpoint'), 'utf8')).recentIds).toEqual(['one']);
  });

  it('fails when the export file cannot be written', async () => {
    const { exitCode, stderr } = await vitrine('audit export --out nowhere/log.ndjson', {
      cwd: temporaryFolder(),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^Could not write \S*nowhere\/log\.ndjson: its folder does not exist\. Choose a file in a folder/m,
    );
  });

  it('is written to a file and not to stdout', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'folder'));
    symlinkSync(join(cwd, 'folder'), join(cwd, 'link'));
    for (const name of ['-', 'folder', 'link']) {
      const { exitCode, stderr } = await vitrine(`audit export --out ${name}`, { cwd });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`"${name}" is not a file`);
    }
    expect(readdirSync(cwd).toSorted()).toEqual(['folder', 'link']);
  });

  it('is written through a link, and not through one that leads nowhere', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'real.ndjson'), '');
    symlinkSync('real.ndjson', join(cwd, 'link.ndjson'));
    symlinkSync('nowhere.ndjson', join(cwd, 'lost.ndjson'));
    expect((await vitrine('audit export --yes --out link.ndjson', { cwd })).exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'real.ndjson'), 'utf8')).toContain('"actionType"');
    const { exitCode, stderr } = await vitrine('audit export --yes --out lost.ndjson', { cwd });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('lost.ndjson: it is a link to a file that does not exist. Choose a file'),
    ]);
    expect(readdirSync(cwd).toSorted()).toEqual(['link.ndjson', 'lost.ndjson', 'real.ndjson']);
  });

  it('is not written to a .json file, which would not be JSON', async () => {
    const { exitCode, stderr } = await vitrine('audit export --out log.json', { cwd: temporaryFolder() });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Name it .ndjson or .csv')]);
  });

  it('rejects a date that is not in the calendar', async () => {
    for (const moment of ['2026-02-30', '2026-02-29T08:00:00Z', '2026-13-01', '2025-04-31T00:00:00+02:00']) {
      const { exitCode, stderr } = await vitrine(`audit list --from ${moment}`);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`--from is "${moment}". Use a date`);
    }
    for (const moment of ['2024-02-29', '2026-02-28T23:59:59-11:00'])
      expect((await vitrine(`audit list --from ${moment}`)).exitCode).toBe(0);
  });

  it('is followed over several runs with a checkpoint, each record once', async () => {
    const cwd = temporaryFolder();
    const follow = async () =>
      (
        await vitrine('audit follow --from 1d --until-quiet --json --checkpoint log.checkpoint', { cwd })
      ).stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).description);
    await vitrine('roles create --type Report --name First --yes');
    const first = await follow();
    await vitrine('roles create --type Report --name Second --yes');
    const second = await follow();
    expect(first.filter((text) => text.includes('First'))).toHaveLength(1);
    expect(second).toHaveLength(1);
    expect(second[0]).toContain('Second');
    expect(await follow()).toEqual([]);
  });

  it('replaces an existing file only after a confirmation, and says when nothing is left in it', async () => {
    const cwd = temporaryFolder();
    await vitrine('roles create --type Report --name First --yes');
    const lines = () => readFileSync(join(cwd, 'audit.ndjson'), 'utf8').split('\n').length - 1;
    expect((await vitrine('audit export', { cwd })).exitCode).toBe(0);
    const before = lines();
    expect(before).toBeGreaterThan(0);
    const asked = await vitrine('audit export --from 2030-01-01', { cwd });
    expect([asked.exitCode, asked.stderr]).toEqual([
      1,
      'audit.ndjson exists. Replace it?\nNo interactive terminal, so nothing was changed. Add --yes to skip the question.\n',
    ]);
    const canceled = await vitrine('audit export', { cwd, isTerminal: true, typed: '\u0003' });
    expect([canceled.exitCode, canceled.stderr]).toEqual([1, expect.stringMatching(/Stopped\.\n$/)]);
    expect(lines()).toBe(before);
    const replaced = await vitrine('audit export --from 2030-01-01 --yes --quiet', { cwd });
    expect(replaced).toMatchObject({
      exitCode: 0,
      stderr: 'audit.ndjson is now empty: no record matches.\n',
    });
    expect(lines()).toBe(0);
  });

  it('says after Ctrl-C that nothing was written', async () => {
    const cwd = temporaryFolder();
    const stop = new AbortController();
    const service = await serve(() => {
      stop.abort();
      return undefined;
    });
    const env = { VITRINE_BASE_URL: service.baseUrl };
    const { exitCode, stderr } = await vitrine('audit export --out log.csv', {
      cwd,
      env,
      signal: stop.signal,
    });
    expect([exitCode, stderr]).toEqual([1, 'log.csv was not written.\nStopped.\n']);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('is exported as CSV with one row per record, also when its text has line breaks', async () => {
    const cwd = temporaryFolder();
    const broken = ['a\nb', 'a\rb', 'a\r\nb'];
    const items = broken.map((description, id) => ({ id: String(id), description }));
    const service = await serve(() => ({ body: { items, totalCount: items.length } }));
    const env = { VITRINE_BASE_URL: service.baseUrl };
    expect((await vitrine('audit export --out log.csv', { cwd, env })).exitCode).toBe(0);
    const text = readFileSync(join(cwd, 'log.csv'), 'utf8');
    const read = { bom: true, columns: true as const, record_delimiter: ['\r\n', '\n', '\r'] };
    expect(parseCsv(text, read)).toMatchObject(broken.map((description) => ({ description })));
    // Control: without quotes, the same reader does not find one row per record.
    const unquoted = text.replaceAll('"', '');
    expect(parseCsv(unquoted, { ...read, relax_column_count: true }).length).toBeGreaterThan(broken.length);
  });

  it('is exported as CSV that no spreadsheet executes, with commas, semicolons or tabs between its cells', async () => {
    const cwd = temporaryFolder();
    const hostile = ['=1+1', 'x;=1+1', 'x,+1', 'x\t@SUM(A1)', 'x;"=1+1', 'x; -1+2', 'x;\uff1d1'];
    for (const name of hostile)
      await vitrine(['roles', 'create', '--yes', '--type', 'Report', '--name', name]);
    await vitrine(
      words('users create --yes --type UserPass --first-name F --last-name L --email').concat(
        'x;=1+1+cmd@acme.example',
      ),
    );
    const { exitCode } = await vitrine('audit export --from 1d --out log.csv', { cwd });
    expect(exitCode).toBe(0);
    const text = readFileSync(join(cwd, 'log.csv'), 'utf8');
    expect(text).toMatch(/^\ufeffid,timestamp,actionType,/);
    expect(text.match(/RoleCreated/g)).toHaveLength(hostile.length);
    expect(text).toContain("x;'=1+1+cmd@acme.example");
    for (const delimiter of [',', ';', '\t']) {
      const cells = parseCsv(text, {
        delimiter,
        bom: true,
        relax_quotes: true,
        relax_column_count: true,
      }).flat();
      expect(cells.length).toBeGreaterThan(10);
      expect(cells.filter((cell) => /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell))).toEqual([]);
    }
  });
});

describe('completion', () => {
  const complete = async (...typed: string[]) =>
    (await runCommand(['__complete', '--', ...typed])).stdout.split('\n').filter(Boolean);

  it('offers the values of options and arguments that have a fixed choice', async () => {
    expect(await complete('sync', 'plan', 'people.csv', '--missing', '')).toEqual([
      'keep',
      'disable',
      'delete',
    ]);
    expect(await complete('actions', 'list', '--state', 'd')).toEqual(['done', 'dead']);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await complete('sync', 'plan', '--out', '')).toEqual([]);
  });

  it('offers commands, then their subcommands, then options', async () => {
    expect(await complete('us')).toEqual(['users']);
    expect(await complete('users', '')).toEqual(['list', 'create', 'get', 'update', 'delete']);
    expect(await complete('users', 'list', '--l')).toEqual(['--limit']);
    expect(await complete('portal', '')).toEqual(['export']);
    expect(await complete('portal', '--seed', '')).toEqual([]);
    expect(await complete('sync', 'plan', '--mi')).toEqual(['--missing']);
    expect(await complete('users', 'list', '--base')).toEqual(['--base-url']);
    expect(await complete('--ver')).toEqual(['--version']);
    expect(await complete('users', 'list', '--ver')).toEqual([]);
    expect(await complete('nothing', 'like', 'this')).toEqual([]);
    expect(await complete('')).not.toContain('__complete');
  });
});
