import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createPortal,
  defaultSeed,
  exportSeed,
  type Portal,
  type PortalSeed,
  readSeedFile,
  type SeedFileError,
  writeSeedFile,
} from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { administer } from './administer.ts';
import { testPostgres } from './databases.ts';
import { requestKey } from './mint.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vitrine-seed-'));
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (name: string, text: string | Buffer) => {
  const path = join(folder, name);
  await writeFile(path, text);
  return readSeedFile(path).then(
    () => [],
    (error: unknown) => (error as SeedFileError).problems.map(({ line, field }) => `${line} ${field}`),
  );
};

const small = `tenants:
  - tenantId: 7
    tenancyName: small
    displayName: Small
    roles:
      - name: Viewer
        type: Report
    users:
      - type: UserPass
        email: one@small.example
        firstName: One
        lastName: User
        roles: [Viewer]
    items:
      - id: 10
        type: report
        displayName: Report
        report: summary
`;

describe('a seed file', () => {
  it.each([
    { what: 'invalid YAML', text: 'tenants:\n  - tenantId: [1\n', problems: ['2 ', '3 '] },
    {
      what: 'a role that the administration API would refuse',
      text: small.replace('- name: Viewer', `- name: ${'V'.repeat(129)}`),
      problems: ['6 tenants[0].roles[0].name', '13 tenants[0].users[0].roles[0]'],
    },
    {
      what: 'a role code that the administration API would refuse',
      text: small.replace('type: Report\n', 'type: RLS\n        code: north,south\n'),
      problems: ['8 tenants[0].roles[0].code'],
    },
    {
      what: 'an invalid value',
      text: small.replace('one@small.example', 'nonsense'),
      problems: ['10 tenants[0].users[0].email'],
    },
    {
      what: 'a missing value',
      text: small.replace('        firstName: One\n', ''),
      problems: ['9 tenants[0].users[0].firstName'],
    },
    {
      what: 'an unknown field',
      text: small.replace('lastName:', 'surname:'),
      problems: ['9 tenants[0].users[0].lastName', '12 tenants[0].users[0].surname'],
    },
    {
      what: 'an undeclared role',
      text: small.replace('[Viewer]', '[Viewer, Nobody]'),
      problems: ['13 tenants[0].users[0].roles[1]'],
    },
    { what: 'no tenants', text: '', problems: ['1 body'] },
  ])('names the line of $what', async ({ text, problems }) => {
    const found = await read('wrong.yaml', text);
    expect(found.length).toBeGreaterThan(0);
    for (const problem of found) expect(problems.map((one) => one.replace('body', ''))).toContain(problem);
  });

  describe('with what the administration API refuses', () => {
    const guid = '3f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d';
    const tenant = (more: object) => ({ tenantId: 7, tenancyName: 'small', displayName: 'Small', ...more });
    const unit = (id: string, parentId: string, name = id) => ({ id, name, parentId });
    const user = { type: 'UserPass', email: 'one@small.example', firstName: 'One', lastName: 'User' };
    const role = { name: 'Night', type: 'RLS', code: 'night' };
    const item = { id: 1, type: 'report', displayName: 'Report' };
    const person = { id: guid, email: 'p@small.example', firstName: 'A', lastName: 'Person' };
    const apiKey = { name: 'Key', key: 'a-key-of-the-file-1' };

    it.each<[what: string, seed: object[], field: string, message: string]>([
      [
        'a NUL character',
        [{ users: [{ ...user, firstName: 'A\0B' }] }],
        'users[0].firstName',
        'holds a NUL character',
      ],
      [
        'half a surrogate pair',
        [{ roles: [{ ...role, name: 'A\ud800' }] }],
        'roles[0].name',
        'holds half of a surrogate pair',
      ],
      [
        'a unit twice',
        [{ organizationUnits: [unit('one', 'root', 'Same'), unit('two', 'root', 'Same')] }],
        'organizationUnits[1].name',
        'is also the name of another unit with this parent',
      ],
      [
        'an identifier of units twice',
        [{ organizationUnits: [unit('one', 'root', 'A'), unit('one', 'root', 'B')] }],
        'organizationUnits[1].id',
        'is also the ID of another unit',
      ],
      [
        'a unit without a parent',
        [{ organizationUnits: [{ id: 'one', name: 'One' }] }],
        'organizationUnits[0].parentId',
        'is required',
      ],
      [
        'an item without a type',
        [{ items: [{ id: 1, displayName: 'Report' }] }],
        'items[0].type',
        'is required',
      ],
      [
        'a report of a workspace twice',
        [
          {
            items: [
              { ...item, workspaceId: guid, reportId: guid },
              { ...item, id: 2, workspaceId: guid.toUpperCase(), reportId: guid },
            ],
          },
        ],
        'items[1].reportId',
        'is also imported from this workspace by another item',
      ],
      [
        'a role twice, in another case',
        [{ roles: [role, { ...role, name: 'NIGHT', code: 'other' }] }],
        'roles[1].name',
        'is also the name of another role',
      ],
      [
        'a code twice',
        [{ roles: [role, { ...role, name: 'Day' }] }],
        'roles[1].code',
        'is also the code of another role',
      ],
      [
        'an RLS role without a code',
        [{ roles: [{ name: 'Night', type: 'RLS' }] }],
        'roles[0].code',
        'is required for RLS roles',
      ],
      [
        'a user twice, in another case',
        [{ users: [user, { ...user, email: 'ONE@small.example' }] }],
        'users[1].email',
        'is also the address of another user',
      ],
      [
        'a person of the directory twice',
        [{ directory: { people: [person, { ...person, id: guid.toUpperCase() }] } }],
        'directory.people[1].id',
        'is also the ID of another person',
      ],
      [
        'a member who is nobody',
        [{ directory: { groups: [{ id: guid, name: 'G', members: [guid] }] } }],
        'directory.groups[0].members[0]',
        'which is not declared',
      ],
      [
        'a header of two lines',
        [{ frameAncestors: '*\nx: y' }],
        'frameAncestors',
        'must be sources of frame-ancestors',
      ],
      [
        'a permission that does not exist',
        [{ apiKeys: [{ ...apiKey, permissions: ['Administration.Everything'] }] }],
        'apiKeys[0].permissions[0]',
        'must be "Administration.ItemLinks.BiItems"',
      ],
      [
        "a visual that the report of the task's item does not have",
        [{ items: [item], tasks: [{ name: 'Clicks', kind: 'webhook', itemId: 1, visualNames: ['zzz'] }] }],
        'tasks[0].visualNames[0]',
        'refers to the visual "zzz"',
      ],
      [
        'a task with neither an address nor an item',
        [{ tasks: [{ name: 'Clicks', kind: 'webhook' }] }],
        'tasks[0].webhookUrl',
        'is required for a task without an itemId',
      ],
      [
        'the ID of an item that no key can name',
        [{ items: [{ ...item, id: 2_147_483_648 }] }],
        'items[0].id',
        '2000000000',
      ],
      [
        'an API key that no header can carry',
        [{ apiKeys: [{ ...apiKey, key: 'a key with spaces in it' }] }],
        'apiKeys[0].key',
        'visible ASCII',
      ],
    ])('%s, and nothing is written', async (_, [more = {}], field, message) => {
      const path = join(folder, 'refused.json');
      const text = JSON.stringify({ tenants: [tenant(more)] }, null, 1);
      await writeFile(path, text);
      const error: SeedFileError = await readSeedFile(path).then(
        () => expect.fail('The seed is accepted.'),
        (reason) => reason,
      );
      const problem = error.problems.find((one) => one.field === `tenants[0].${field}`);
      expect(problem?.message).toContain(message);
      expect(problem?.line).toBeGreaterThan(1);
      await expect(createPortal({ seed: JSON.parse(text) })).rejects.toThrow(`seed.tenants[0].${field}`);
    });

    it('a key of another tenant, or the GUID of its item', async () => {
      const one = tenant({ apiKeys: [apiKey], items: [{ ...item, guid }] });
      const other = { ...one, tenantId: 8, tenancyName: 'other' };
      await expect(createPortal({ seed: { tenants: [one, other] } })).rejects.toThrow(
        /tenants\[1\]\.apiKeys\[0\]\.key.*tenants\[1\]\.items\[0\]\.guid/,
      );
    });
  });

  it.each([
    ['tenants:\n\t- tenantId: 1\n', 'words.yaml:2: Tabs are not allowed as indentation'],
    ['tenants: []\ntenants: []\n', 'words.yaml:2: Map keys must be unique'],
    [small.replace('[Viewer]', '[Viewer'), 'must be sufficiently indented and end with a ]'],
    [small.replace('type: UserPass', 'type: Nobody'), 'tenants[0].users[0].type must be "DirectoryAD", '],
    [small.replace('        firstName: One\n', ''), 'tenants[0].users[0].firstName is required'],
    [small.replace('tenantId: 7', 'tenantId: seven'), 'tenants[0].tenantId must be a number, not a string'],
  ])('explains an error: %j', async (text, message) => {
    const path = join(folder, 'words.yaml');
    await writeFile(path, text);
    await expect(readSeedFile(path)).rejects.toThrow(message);
  });

  it('in another encoding than UTF-8 is refused, so that no name is damaged', async () => {
    const text = small.replace('displayName: Small', 'displayName: Café');
    expect(await read('utf-8.yaml', text)).toEqual([]);
    for (const encoding of ['latin1', 'utf16le'] as const)
      expect(await read(`${encoding}.yaml`, Buffer.from(`\uFEFF${text}`, encoding))).toEqual(['1 ']);
  });

  it('may also be JSON, with line numbers in errors', async () => {
    const json = JSON.stringify(
      { tenants: [{ tenantId: 1, tenancyName: 'UPPER', displayName: 'x' }] },
      null,
      2,
    );
    expect(await read('wrong.json', json)).toEqual(['5 tenants[0].tenancyName']);
  });

  it('is written without leaving a temporary file', async () => {
    const path = join(folder, 'safe.yaml');
    await writeSeedFile(path, defaultSeed);
    await expect(writeSeedFile(join(folder, 'no/such/folder.yaml'), defaultSeed)).rejects.toThrow('ENOENT');
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

const isPostgresThere = (await testPostgres('seed')) !== undefined;

describe.each(['SQLite', ...(isPostgresThere ? ['Postgres'] : [])])('a seed on %s', (kind) => {
  let made = 0;
  /** Address of an empty database, removed after the test. */
  const freshDatabase = async (): Promise<string> => {
    const postgres = kind === 'Postgres' ? await testPostgres('seed') : undefined;
    if (postgres === undefined) return join(folder, `${(made += 1)}.db`);
    onTestFinished(() => postgres.drop());
    return postgres.address;
  };
  const start = async (database: string, seed?: PortalSeed): Promise<Portal> => {
    const portal = await createPortal({ database, ...(seed !== undefined && { seed }) });
    onTestFinished(() => portal.close());
    return portal;
  };

  it('starts a portal with its content, with development secrets by default', async () => {
    await read('small.yaml', small);
    const portal = await start(await freshDatabase(), await readSeedFile(join(folder, 'small.yaml')));
    const [tenant] = portal.tenants;
    expect(tenant).toMatchObject({ tenantId: 7, tenancyName: 'small', items: [{ id: 10 }] });
    expect(tenant?.apiKey).toContain('development-only');
    if (tenant !== undefined) {
      expect((await administer(tenant, 'GET /v1/users')).body.totalCount).toBe(1);
      expect((await requestKey({ tenant, itemId: 10 })).status).toBe(200);
    }
  });

  it('may define API keys with their permissions, and the passphrase', async () => {
    const seed = {
      tenants: [
        {
          tenantId: 8,
          tenancyName: 'named',
          displayName: 'Named',
          passPhrase: 'a passphrase of the file',
          apiKeys: [
            {
              name: 'Mint only',
              key: 'a-key-of-the-file-1',
              permissions: ['Administration.ItemLinks.BiItems'],
            },
          ],
          items: [{ id: 1, type: 'report', displayName: 'Report' }],
        },
      ],
    };
    const portal = await start(await freshDatabase(), seed);
    const [tenant] = portal.tenants;
    expect(tenant).toMatchObject({ apiKey: 'a-key-of-the-file-1', passPhrase: 'a passphrase of the file' });
    if (tenant !== undefined) {
      const refused = await requestKey({ tenant, itemId: 1 });
      expect(refused.status).toBe(403);
      expect(await refused.text()).toContain('Administration.BiReports.Create');
    }
  });

  it('is exported from a portal unchanged', async () => {
    const database = await freshDatabase();
    const first = await createPortal({ database });
    const [tenant] = first.tenants;
    const imported = {
      type: 'app',
      workspaceId: '3f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      reportId: '4f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
      displayName: 'Imported',
      additionalData: [{ type: 'dataset', id: '5f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d', hasRls: true }],
    };
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    expect((await administer(tenant, 'POST /v1/items', { body: imported })).status).toBe(201);
    await first.close();
    const path = join(folder, 'round.yaml');
    const exported = await exportSeed(database);
    await writeSeedFile(path, exported);
    const again = await freshDatabase();
    await (await createPortal({ database: again, seed: await readSeedFile(path) })).close();
    expect(await exportSeed(again)).toEqual(exported);
    expect(exported.tenants.map(({ tenancyName, users }) => [tenancyName, users?.length])).toEqual(
      defaultSeed.tenants.map(({ tenancyName, users }) => [tenancyName, users?.length]),
    );
    expect(exported.tenants[0]?.items?.at(-1)).toMatchObject({ ...imported, hasRls: true });
    expect(await readFile(path, 'utf8')).not.toContain('development-only');
  });

  it('leaves a task with a secret of its own without one over an export, never with that of the others', async () => {
    const portal = await start(await freshDatabase());
    const [tenant] = portal.tenants;
    const create = async (name: string, secret: string | undefined) => {
      const answer = await fetch(`${portal.url}/_control/tenants/acme/tasks`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, itemId: 1042, webhookUrl: 'http://own.example/hook', secret }),
      });
      expect(answer.status).toBe(201);
    };
    await create('Own', 'a-secret-of-its-own');
    await create('Shared', tenant?.webhookSecret);
    await create('None', undefined);
    const seed: PortalSeed = await (await fetch(`${portal.url}/_control/seed`)).json();
    const secrets = seed.tenants[0]?.tasks?.map(({ name, secret }) => [name, secret]);
    expect(secrets?.slice(-3)).toEqual([
      ['Own', null],
      ['Shared', undefined],
      ['None', null],
    ]);
  });

  it.each([[], undefined])(
    'keeps the related content %j of an item over an export',
    async (additionalData) => {
      const items = async ({ tenants: [tenant] }: Portal) =>
        tenant && (await administer(tenant, 'GET /v1/items')).body.items;
      const first = await start(await freshDatabase());
      const [tenant] = first.tenants;
      if (tenant === undefined) throw new Error('The default seed has two tenants.');
      const body = {
        type: 'report',
        workspaceId: '3f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
        reportId: '4f1c8f4e-3f0a-4c55-9b0e-6a1d2f3b4c5d',
        displayName: 'Alone',
        additionalData,
      };
      expect((await administer(tenant, 'POST /v1/items', { body })).body.additionalData).toEqual([]);
      const seed = await (await fetch(`${first.url}/_control/seed`)).json();
      const second = await start(await freshDatabase(), seed);
      const withoutTime = (rows: readonly object[]) => rows.map((row) => ({ ...row, createdAt: '' }));
      expect(withoutTime(await items(second))).toEqual(withoutTime(await items(first)));
    },
  );

  it('keeps the state of an existing database, and the development keys stay valid', async () => {
    const database = await freshDatabase();
    const first = await createPortal({ database });
    const [tenant] = first.tenants;
    if (tenant === undefined) throw new Error('The default seed has two tenants.');
    const user = { type: 'UserPass', email: 'kept@acme.example', firstName: 'Kept', lastName: 'User' };
    expect((await administer(tenant, 'POST /v1/users', { body: user })).status).toBe(201);
    await first.close();
    const second = await start(database);
    const [reopened] = second.tenants;
    expect(reopened?.apiKey).toBe(tenant.apiKey);
    if (reopened !== undefined)
      expect((await administer(reopened, 'POST /v1/users', { body: user })).status).toBe(409);
  });
});
