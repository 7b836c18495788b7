import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type CommandRun, runCommand, temporaryFolder } from './support/runCommand.ts';

let portal: Portal;
let tenant: PortalTenant;
let cwd: string;

beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  tenant = await portal.createTenant();
  cwd = temporaryFolder();
});

const vitrine = (line: string, of = tenant, run: CommandRun = {}) =>
  runCommand(line, { ...run, cwd, env: { VITRINE_BASE_URL: of.baseUrl, VITRINE_API_KEY: of.apiKey } });

const save = (name: string, content: string | object) =>
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

/** The users of a tenant: address, roles and units. */
const usersOf = async ({ baseUrl, apiKey }: PortalTenant) => {
  await using client = createPortalClient({ baseUrl, apiKey });
  const users: string[] = [];
  for await (const { email, roles, organizationUnits } of client.users.list())
    users.push(`${email} ${roles?.join()} ${organizationUnits?.join()}`);
  return users.toSorted();
};

const managers = ['north.manager@acme.example', 'south.manager@acme.example'];

/** Titles of the parts of a plan, in their order. */
const titlesIn = (shown: string) => [...shown.matchAll(/^([A-Z][\w, ]+): \d/gm)].map(([, title]) => title);

describe('vitrine sync', () => {
  it('replaces no file that is not an earlier plan', async () => {
    const people = 'email\nsouth.manager@acme.example\n';
    save('people.csv', people);
    save('users.json', [{ email: 'south.manager@acme.example' }]);
    save('.env', 'VITRINE_API_KEY=of-another-tenant\n');
    for (const [line, file] of [
      ['sync plan people.csv --out people.csv', 'people.csv'],
      ['sync plan users.json --out ./users.json', 'users.json'],
      ['sync plan people.csv --out .env', '.env'],
    ] as const) {
      const before = readFileSync(join(cwd, file), 'utf8');
      const { exitCode, stderr } = await vitrine(line);
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('exists and is not a plan')]);
      expect(readFileSync(join(cwd, file), 'utf8')).toBe(before);
    }
    // Control: an earlier plan is replaced, also one that was formatted by hand, and an empty file is filled.
    save('empty.json', '');
    expect((await vitrine('sync plan people.csv --out empty.json')).exitCode).toBe(0);
    expect((await vitrine('sync plan people.csv --out plan.json')).exitCode).toBe(0);
    const first = readFileSync(join(cwd, 'plan.json'), 'utf8');
    save('plan.json', JSON.stringify(JSON.parse(first), undefined, 2));
    expect((await vitrine('sync plan people.csv --out plan.json')).exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'plan.json'), 'utf8')).not.toBe(first);
  });

  it.each(['csv', 'ndjson'] as const)(
    'plans nothing from a file that grows while it is read: %s',
    async (type) => {
      const rows = {
        csv: ['email\n', 'south.manager@acme.example\n'],
        ndjson: ['{"email":"south.manager@acme.example"}\n', ''],
      };
      const [header = '', person = ''] = rows[type];
      save(`people.${type}`, header + person);
      const grow = () => appendFileSync(join(cwd, `people.${type}`), person || header);
      const server = createServer((request, response) => {
        if (request.url?.startsWith('/v1/users') === true) grow();
        response.setHeader('content-type', 'application/json');
        response.end('{"items":[],"totalCount":0}');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const { exitCode, stderr } = await vitrine(`sync plan people.${type} --out plan.json`, {
        ...tenant,
        baseUrl: `http://127.0.0.1:${port}`,
      });
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('changed while it was read')]);
      expect(readdirSync(cwd)).not.toContain('plan.json');
    },
  );

  it('says how to save a workbook', async () => {
    writeFileSync(join(cwd, 'people.xlsx'), Buffer.from('504b03041400060008000000210062ee9d68', 'hex'));
    const { exitCode, stderr } = await vitrine('sync plan people.xlsx');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('also for an Excel workbook')]);
  });

  it('applies no plan that was edited', async () => {
    save('people.csv', 'email,firstName\nsouth.manager@acme.example,Sue\n');
    await vitrine('sync plan people.csv --out plan.json');
    const text = readFileSync(join(cwd, 'plan.json'), 'utf8');
    for (const edited of [
      text.replace(/"existingUsers":\d+/, '"existingUsers":999'),
      text.replace('"resource":"user",', '"resource":"user","dangers":[],'),
      text.replace('"Sue"', '"Eve"'),
    ]) {
      expect(edited).not.toBe(text);
      save('edited.json', edited);
      const { exitCode, stderr } = await vitrine('sync apply edited.json --yes');
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it was changed after')]);
    }
    // Control: the plan as it is.
    expect((await vitrine('sync apply plan.json --yes')).exitCode).toBe(0);
  });

  it('stops on Ctrl-C while stdin is open, and saves nothing', async () => {
    for (const format of ['csv', 'json']) {
      const stop = new AbortController();
      const stdin = new Readable({ read: () => stop.abort() });
      const line = `sync plan - --format ${format} --out plan.json`;
      expect(await vitrine(line, tenant, { stdin, signal: stop.signal })).toMatchObject({
        exitCode: 1,
        stderr: 'Stopped.\n',
      });
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('names both addresses when a plan was made at another one', async () => {
    save('people.csv', 'email,firstName\nsouth.manager@acme.example,Sky\n');
    await vitrine('sync plan people.csv --out plan.json');
    const elsewhere = { ...tenant, baseUrl: tenant.baseUrl.replace('127.0.0.1', 'localhost') };
    expect(elsewhere.baseUrl).not.toBe(tenant.baseUrl);
    const { stderr } = await vitrine('sync apply plan.json --yes', elsewhere);
    const note = `The plan was made at ${tenant.baseUrl}, and is for ${elsewhere.baseUrl} now.`;
    expect(stderr).toContain(note);
    // Control: at the same address there is nothing to say.
    expect((await vitrine('sync apply plan.json --yes')).stderr).not.toContain('The plan was made at');
  });

  it('takes no roles from users whose directory does not manage roles, unless that is asked for', async () => {
    save('scim.json', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 2,
      Resources: managers.map((userName) => ({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName,
        roles: [],
        groups: [],
        active: true,
      })),
    });
    const before = await usersOf(tenant);
    expect(await vitrine('sync plan scim.json')).toMatchObject({
      exitCode: 0,
      stdout: 'Nothing to do: 2 already synced.\n',
    });
    const { stdout, exitCode } = await vitrine('sync plan scim.json --empty-clears --out plan.json');
    expect(exitCode).toBe(2);
    expect(titlesIn(stdout)[0]).toBe('Users who lose all roles or units, or a role together with many');
    const skipped = await vitrine('sync apply plan.json --yes');
    expect(skipped).toMatchObject({ exitCode: 2, stdout: 'Nothing was changed.\n' });
    expect(skipped.stderr).toContain('2 removals were skipped. Add --allow-removals to include them.');
    const capped = await vitrine('sync apply plan.json --yes --allow-removals');
    expect(capped.stderr).toContain('it removes 2 of 7 users or their roles');
    expect(capped.exitCode).toBe(1);
    expect(await usersOf(tenant)).toEqual(before);
    const limits = '--allow-removals --max-removal-percent 50';
    expect((await vitrine(`sync apply plan.json ${limits}`)).stdout).toContain(
      'or a role together with many: 2',
    );
    expect((await vitrine(`sync apply plan.json --yes ${limits}`)).exitCode).toBe(0);
    expect(await usersOf(tenant)).not.toEqual(before);
  });

  it('plans nothing from one page of a list', async () => {
    save('page.json', {
      '@odata.context': 'https://graph.example/v1.0/$metadata#users',
      '@odata.nextLink': 'https://graph.example/v1.0/users?$skiptoken=secret-token',
      value: managers.map((email) => ({ email })),
    });
    const { exitCode, stdout, stderr } = await vitrine(
      'sync plan page.json --missing delete --out plan.json',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(
      '"@odata.nextLink" says that this is not the whole list: it is one of several pages, has only changes, or the export failed.',
    );
    expect(stderr).not.toContain('secret-token');
    expect(readdirSync(cwd)).toEqual(['page.json']);
  });

  it('does not apply a plan to another tenant at the same address', async () => {
    const other = await portal.createTenant();
    save('people.csv', 'email,firstName,lastName,type\nwrong.tenant@acme.example,Wrong,Tenant,UserPass\n');
    await vitrine('sync plan people.csv --out plan.json');
    const before = await usersOf(other);
    const { exitCode, stderr } = await vitrine('sync apply plan.json --yes', other);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^The plan was made for another tenant, at .* Nothing was changed\./);
    expect(await usersOf(other)).toEqual(before);
    expect(readdirSync(cwd).toSorted()).toEqual(['people.csv', 'plan.json']);
    expect(await vitrine('sync apply plan.json --yes')).toMatchObject({ stdout: '1 created.\n' });
  });

  it('shows new administrators first, and adds them only with the option that it names', async () => {
    const rows = Array.from(
      { length: 60 },
      (_, number) =>
        `new-${number}@acme.example,New,One,UserPass,${number === 40 ? 'Viewer|Tenant administrator' : 'Viewer'}`,
    );
    const changed = 'north.manager@acme.example,,,,"Viewer|Region North|Tenant administrator"';
    save('people.csv', ['email,first name,last name,type,roles', ...rows, changed, ''].join('\n'));
    const { stdout } = await vitrine('sync plan people.csv --missing delete --out plan.json');
    expect(titlesIn(stdout)).toEqual(['New administrators', 'Users to delete', 'Creations', 'Plan']);
    expect(stdout).toMatch(
      /^New administrators: 2\n.*new-40@acme\.example.*\n.*north\.manager@acme\.example/,
    );
    const applied = await vitrine('sync apply plan.json --yes');
    expect(applied).toMatchObject({ exitCode: 2, stdout: '59 created.\n' });
    expect(applied.stderr).toMatch(
      /3 changes that add or remove an administrator were skipped\. Add --allow-administrators to include them\./,
    );
    const administrators = async () =>
      (await usersOf(tenant)).filter((user) => user.includes('Tenant administrator')).length;
    expect(await administrators()).toBe(1);
    const asked = await vitrine('sync apply plan.json --allow-administrators');
    expect(asked.stdout).toContain('New administrators: 2');
    expect((await vitrine('sync apply plan.json --yes --allow-administrators')).stdout).toContain(
      '1 created, 1 changed',
    );
    expect(await administrators()).toBe(3);
  });

  it('keeps a row whose state it does not know, and creates nobody from it', async () => {
    save('people.json', [
      { email: managers[0], active: 'on leave' },
      { email: 'gone@acme.example', firstName: 'G', lastName: 'N', type: 'UserPass', active: 'on leave' },
      { email: 'new@acme.example', firstName: 'N', lastName: 'E', type: 'UserPass', active: 'True' },
      { email: managers[1], active: 'False' },
    ]);
    const { stdout, exitCode } = await vitrine('sync plan people.json --missing disable --json');
    const { actions, conflicts } = JSON.parse(stdout) as {
      actions: { action: string; key: string }[];
      conflicts: { key: string; message: string }[];
    };
    expect(exitCode).toBe(2);
    expect(conflicts).toMatchObject([
      {
        key: managers[0],
        message: 'entry 1 cannot be used: its active is "on leave", not true or false.',
      },
      { key: 'gone@acme.example' },
    ]);
    const planned = actions.map(({ action, key }) => `${action} ${key}`);
    expect(planned).toContain('create new@acme.example');
    expect(planned).toContain(`disable ${managers[1]}`);
    expect(planned.join()).not.toMatch(/gone@|north\.manager/);
  });

  it('shows the first rows of many, and how many there are', async () => {
    const numbers = Array.from({ length: 60 }, (_, number) => number);
    save(
      'units.json',
      numbers.map((number) => ({ path: `/Unit ${number}` })),
    );
    const created = await vitrine('sync plan --units units.json --out plan.json');
    expect(created.stdout.match(/create unit/g)).toHaveLength(50);
    expect(created.stdout).toContain('… and 10 more. Add --all to see them.');
    expect(created.stdout).not.toContain(': 0');
    const whole = await vitrine('sync plan --units units.json --all');
    expect(whole.stdout.match(/create unit/g)).toHaveLength(60);
  });

  it('saves a plan, which has names and addresses, for its owner only', async () => {
    save('people.csv', 'email,firstName,lastName,type\nnew@acme.example,N,E,UserPass\n');
    await vitrine('sync plan people.csv --out plan.json');
    expect((statSync(join(cwd, 'plan.json')).mode & 0o777).toString(8)).toBe('600');
  });

  it('rejects a list of changes, in which nobody counts as missing', async () => {
    save('delta.json', {
      '@odata.deltaLink': 'https://graph.example/v1.0/users/delta?$deltatoken=secret-token',
      value: managers.map((mail) => ({ mail, userType: 'Member' })),
    });
    const { exitCode, stderr } = await vitrine('sync plan delta.json --missing delete');
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining('"@odata.deltaLink" says that this is not the whole list'),
    ]);
    expect(stderr).not.toContain('secret-token');
  });
});
