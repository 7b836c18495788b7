import {
  createPortalClient,
  type DesiredUser,
  type PlanAction,
  type PortalClient,
  targetOf,
  usersFromCsv,
  usersFromJson,
} from '@vitrine/portal-client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Directory, startDirectory } from './support/directory.ts';

const isDangerous = ({ dangers }: PlanAction) => dangers !== undefined;
let directory: Directory;
let client: PortalClient;

beforeEach(async () => {
  directory = await startDirectory();
  client = createPortalClient({ baseUrl: directory.baseUrl, apiKey: 'test-api-key-0123456789' });
  return async () => {
    await client.close();
    await directory.close();
  };
});

const row = (email: string, rest: Partial<DesiredUser> = {}): DesiredUser => ({
  email,
  type: 'UserPass',
  firstName: 'First',
  lastName: 'Last',
  ...rest,
});

/** A row as a program without types may pass it. */
const untyped = (given: object): DesiredUser => given as DesiredUser;

const emailOf = (number: number) => `user-${number}@acme.example`;

async function* thousandRows() {
  for (let number = 0; number < 1_000; number += 1) yield row(`user-${number}@acme.example`);
}

async function* brokenRows() {
  yield row('kept@acme.example');
  throw new Error('connection to the HR system lost');
}

describe('a plan', () => {
  it('creates missing users, updates users who differ and keeps the rest', async () => {
    const there = directory.add({ email: 'b@acme.example', roles: ['Readers'] });
    directory.add({ email: 'c@acme.example' });
    const plan = await client.planSync({
      users: [row('a@acme.example'), row('b@acme.example', { roles: ['Managers'] }), row('c@acme.example')],
    });
    expect(plan.actions).toEqual([
      {
        action: 'create',
        resource: 'user',
        key: 'a@acme.example',
        email: 'a@acme.example',
        from: {},
        to: {
          type: 'UserPass',
          firstName: 'First',
          lastName: 'Last',
          roles: [],
          organizationUnits: [],
        },
      },
      {
        action: 'update',
        resource: 'user',
        key: 'b@acme.example',
        email: 'b@acme.example',
        userId: String(there.id),
        from: { roles: ['Readers'] },
        to: { roles: ['Managers'] },
      },
    ]);
    expect(plan.counts).toEqual({
      create: 1,
      update: 1,
      disable: 0,
      delete: 0,
      unchanged: 1,
      conflicts: 0,
      existingUsers: 2,
      protected: 0,
    });
    expect(plan.warnings).toEqual([]);
  });

  it('sends only read requests', async () => {
    await client.planSync({ users: [row('a@acme.example')], roles: [{ name: 'New', type: 'Report' }] });
    expect(directory.writes).toEqual([]);
    expect(directory.state.reads).toBeGreaterThan(0);
  });

  it('works with a read-only client', async () => {
    const reading = createPortalClient({
      baseUrl: directory.baseUrl,
      apiKey: 'k-0123456789',
      readOnly: true,
    });
    onTestFinished(() => reading.close());
    const plan = await reading.planSync({ users: [row('a@acme.example')] });
    expect(plan.counts.create).toBe(1);
    const result = await reading.applyPlan(plan);
    expect(result.failed[0]?.message).toContain('read-only');
    expect(directory.writes).toEqual([]);
  });

  it('is plain JSON', async () => {
    const plan = await client.planSync({ users: [row('a@acme.example')] });
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  it('keeps fields that the source does not contain', async () => {
    directory.add({ email: 'a@acme.example', roles: ['Readers'], organizationUnits: ['ou-1'] });
    const plan = await client.planSync({ users: [{ email: 'a@acme.example', firstName: 'First' }] });
    expect(plan.actions).toEqual([]);
  });

  it('compares lists as sets', async () => {
    directory.add({ email: 'a@acme.example', roles: ['Readers', 'Writers'] });
    const plan = await client.planSync({
      users: [row('a@acme.example', { roles: ['Writers', 'Readers', 'Readers'] })],
    });
    expect(plan.actions).toEqual([]);
  });

  it('accepts rows from an async iterable of any length', async () => {
    const plan = await client.planSync({ users: thousandRows() });
    expect(plan.counts.create).toBe(1_000);
  });

  it.each([
    ['a\u202eb@acme.example', '"a\\u{202e}b@acme.example"'],
    ['a@acme\u200b.example', '"a@acme\\u{200b}.example"'],
    ['a\u00adb@acme.example', '"a\\u{ad}b@acme.example"'],
    ['a\u0007@acme.example', '"a\\u0007@acme.example"'],
    ['a acme.example', '"a acme.example"'],
    [`${'a'.repeat(200)}.example`, `"${'a'.repeat(80)}…"`],
  ])('rejects the address %j and quotes it', async (email, quoted) => {
    const plan = await client.planSync({ users: [row(email)] });
    expect(plan.actions).toEqual([]);
    expect(plan.conflicts).toMatchObject([
      { code: 'invalid_row', message: `row 1 cannot be used: its email address ${quoted} is not valid.` },
    ]);
  });

  it('shows addresses as written, although it compares a normalized form', async () => {
    directory.add({ email: 'Zoë.Miller@Bücher.example', roles: ['Readers'] });
    directory.add({ email: 'Left.Over@Acme.example' });
    const plan = await client.planSync(
      { users: [{ ...row('ZOË.miller@bücher.example'), roles: ['Managers'] }, row('New.One@Acme.example')] },
      { missing: 'delete' },
    );
    expect(plan.actions.map((action) => [action.action, targetOf(action)])).toEqual([
      ['create', 'New.One@Acme.example'],
      ['update', 'Zoë.Miller@Bücher.example'],
      ['delete', 'Left.Over@Acme.example'],
    ]);
    const twice = await client.planSync({
      users: [row('zoë.miller@bücher.example'), row('ZOË.miller@bücher.example')],
    });
    expect(twice.conflicts[0]?.message).toContain('are both for ZOË.miller@bücher.example;');
  });

  it('suggests the role or unit that differs only in what readers do not see', async () => {
    directory.units.push({ id: 'ou-1', name: 'Customers', parentId: 'root', directoryGroupId: null });
    const users = [
      row('a@acme.example', { roles: ['readers', 'Nobody'], organizationUnits: ['/customers'] }),
      row('b@acme.example', { roles: ['Read\u200bers'] }),
      row('c@acme.example', { roles: ['Readers\u00a0'], organizationUnits: ['/ Customers/'] }),
    ];
    const plan = await client.planSync({ users });
    expect(plan.conflicts.slice(0, 2)).toMatchObject([
      {
        code: 'unknown_name',
        message:
          'row 1 cannot be used: the tenant has no role "readers" (did you mean "Readers"?); the tenant has no role "Nobody"; the tenant has no organizational unit "/customers" (did you mean "/Customers"?).',
      },
      {
        message: 'row 2 cannot be used: the tenant has no role "Read\\u{200b}ers" (did you mean "Readers"?).',
      },
    ]);
    expect(plan.actions).toMatchObject([
      { key: 'c@acme.example', to: { roles: ['Readers'], organizationUnits: ['ou-1'] } },
    ]);
  });

  it('rejects a source without users unless this is allowed', async () => {
    await expect(client.planSync({ users: [] })).rejects.toMatchObject({
      code: 'empty_source',
      message: 'The source contains no users. Check the source; if this is intended, set allowEmpty.',
    });
    expect((await client.planSync({ users: [] }, { allowEmpty: true })).actions).toEqual([]);
  });

  it('fills missing fields of new users from defaults, and lists fields that are still missing', async () => {
    const plan = await client.planSync(
      { users: [{ email: 'a@acme.example', firstName: 'A', lastName: 'B' }, { email: 'b@acme.example' }] },
      { defaults: { type: 'DirectoryAD', roles: ['Readers'] } },
    );
    expect(plan.actions[0]).toMatchObject({ to: { type: 'DirectoryAD', roles: ['Readers'] } });
    expect(plan.conflicts).toEqual([
      {
        code: 'invalid_row',
        key: 'b@acme.example',
        message: 'row 2 is for the new user b@acme.example, but lacks firstName, lastName.',
      },
    ]);
  });
});

describe('addresses', () => {
  it.each([
    ['case', 'North.Manager@ACME.example', 'north.manager@acme.example'],
    ['Unicode composition', 'zoe\u0308@acme.example', 'zo\u00eb@acme.example'],
    ['the ASCII form of a domain', 'a@b\u00fccher.example', 'a@xn--bcher-kva.example'],
    ['surrounding spaces', ' a@acme.example ', 'a@acme.example'],
  ])('identify the same person despite different %s', async (_, wanted, existing) => {
    directory.add({ email: existing });
    const plan = await client.planSync({ users: [row(wanted)] }, { missing: 'delete' });
    expect(plan.actions).toEqual([]);
    expect(plan.conflicts).toEqual([]);
  });

  it('that occur twice in the source are a conflict, and neither row is applied', async () => {
    const plan = await client.planSync({
      users: [row('a@acme.example', { origin: 'line 2' }), row('A@acme.example', { origin: 'line 9' })],
    });
    expect(plan.actions).toEqual([]);
    expect(plan.conflicts).toEqual([
      {
        code: 'duplicate_row',
        key: 'a@acme.example',
        message: 'line 2 and line 9 are both for A@acme.example; neither is used.',
      },
    ]);
  });

  it.each([
    "o'neil@acme.example",
    'a+b@acme.example',
    'r&d@acme.example',
    '_under_score@acme.example',
    'x..y.@docomo.example',
    '42@acme.example',
    'zoe\u0308@acme.example',
    'नमस्ते@उदाहरण.भारत',
    'ユーザー@例え.テスト',
    'иван@почта.рф',
    'ivan@почта.рф',
    'jane_mail.example#EXT#@acme.example',
    'admin@localhost',
    'a@my-host.example',
  ])('of directories are plain ones: %s', async (email) => {
    const plan = await client.planSync({ users: [row(email)] });
    expect([plan.conflicts, plan.counts.create]).toEqual([[], 1]);
  });

  it.each(['', 'nobody', 'two words@acme.example', '@acme.example', 'a@', 'a@b@c'])(
    'that are invalid are a conflict: "%s"',
    async (email) => {
      const plan = await client.planSync({ users: [row(email)] });
      expect(plan.conflicts).toMatchObject([{ code: 'invalid_row' }]);
      expect(plan.actions).toEqual([]);
    },
  );
});

describe('names that are none', () => {
  it.each([
    'NULL',
    'null',
    '(null)',
    '#N/A',
    'N/A',
    '#REF!',
    '#NAME?',
    '#NV',
    'NaN',
    '[object Object]',
    'J&uuml;rgen',
    'O&#39;Brien',
    'Tom &amp; Ann',
  ])('are a conflict of their row, and the others are used: %s', async (firstName) => {
    const plan = await client.planSync({
      users: [row('a@acme.example'), row('b@acme.example', { firstName })],
    });
    expect(plan.conflicts).toMatchObject([
      { code: 'invalid_row', key: 'b@acme.example', message: expect.stringContaining(firstName) },
    ]);
    expect(plan.counts.create).toBe(1);
  });

  it('and types are not: only those of the portal and of the tenant are, in any case', async () => {
    directory.add({ email: 'b@acme.example', type: 'Badge' });
    const types = ['userpass', 'BADGE', 'MobileID', 'Employee', 'Contractor'];
    const users = types.map((type, number) => row(`user-${number}@acme.example`, { type }));
    const { actions, conflicts } = await client.planSync({
      users: [...users, row('b@acme.example', { type: 'badge' })],
    });
    expect(actions).toMatchObject([
      { to: { type: 'UserPass' } },
      { to: { type: 'Badge' } },
      { to: { type: 'MobileID' } },
    ]);
    expect(conflicts.map(({ message }) => message)).toEqual([
      'row 4 cannot be used: its type "Employee" is not one of DirectoryAD, DirectoryADExternal, UserPass, MobileID, Badge.',
      expect.stringContaining('"Contractor"'),
    ]);
    const [withDefault] = (
      await client.planSync(
        { users: [{ ...row('n@acme.example'), type: undefined }] },
        { defaults: { type: 'Staff' } },
      )
    ).conflicts;
    expect(withDefault?.message).toContain('its type "Staff"');
  });

  it('are no names of units and roles either', async () => {
    for (const rest of [{ organizationUnits: ['/R&amp;D'] }, { roles: ['R&#38;D'] }]) {
      const plan = await client.planSync({ users: [row('a@acme.example', rest)] }, { createMissing: true });
      expect(plan.conflicts).toMatchObject([{ code: 'invalid_row' }]);
      expect(plan.actions).toEqual([]);
    }
  });

  it.each(['Null', 'Nullmeier', 'Tom & Ann', '#1', 'Na'])('are not these: %s', async (lastName) => {
    expect((await client.planSync({ users: [row('a@acme.example', { lastName })] })).conflicts).toEqual([]);
  });
});

describe('damaged names', () => {
  const plan = (firstName: string) =>
    client.planSync({ users: [row('a@acme.example'), row('b@acme.example', { firstName })] });
  const misread = (name: string, from: string, to: string) => {
    const bytes = from === 'utf-8' ? Buffer.from(name) : Buffer.from(from, 'latin1');
    return new TextDecoder(to).decode(bytes);
  };

  it.each([
    ...[
      'Jürgen',
      'Zoë',
      'Øyvind',
      'Šimon',
      'Łukasz',
      'Oğuz',
      'Şahin',
      'Yūki',
      'Žofie',
      'Weiß',
      '伟',
      '张',
      'Ирина',
      'Ελένη',
      'שרה',
      'سارة',
    ].map((name) => [`${name} in UTF-8`, misread(name, 'utf-8', 'windows-1252')]),
    // The bytes of CP850.
    ...[
      'J\x81rgen',
      'Zo\x89',
      'Bj\x94rn',
      '\x8Fsa',
      'Chlo\x82',
      '\x90mile',
      '\x9Dyvind',
      'In\x82s',
      'Fran\x87ois',
      'Lef\x8Avre',
    ].map((bytes) => [`${JSON.stringify(bytes)} in CP850`, misread('', bytes, 'windows-1252')]),
    ...['?mile', 'Wei?', '??', 'Jan ?ukasz', 'G?l', 'A\u0085n', 'A\u0001n', 'A\nn', 'A\tn', 'A\u2028n'].map(
      (name) => [name, name],
    ),
  ])('are a conflict of their row: %s', async (_, name = '') => {
    expect(await plan(name)).toMatchObject({
      counts: { create: 1 },
      conflicts: [{ code: 'invalid_row', message: expect.stringContaining('damaged') }],
    });
  });

  it.each(
    "Jürgen,Zoë,Ángel,ÅSA,Märta,Åse,D’Örte,O'Neill,Émile,Ñuño,GROß,André–Pierre,RENÉ’S,Šimon,Æsa,İpek,Łukasz,伟,Ирина,Robert “Bob”,Ðorđe,Ïrina,Mª José".split(
      ',',
    ),
  )('are not whole ones: %s', async (name) => {
    expect(await plan(name)).toMatchObject({ counts: { create: 2 }, conflicts: [] });
  });
});

describe('users that are missing in the source', () => {
  beforeEach(() => {
    directory.add({ email: 'kept@acme.example' });
    directory.add({ email: 'left@acme.example', roles: ['Readers'] });
  });

  it('stay unchanged and are counted by default', async () => {
    const plan = await client.planSync({ users: [row('kept@acme.example')] });
    expect(plan.actions).toEqual([]);
    expect(plan.warnings).toEqual([
      'Users of the tenant who are not in the source, or inactive there, and stay unchanged: 1.',
    ]);
  });

  it('stay when the list of users does not show roles: they may be administrators', async () => {
    const items = directory
      .contents()
      .map(({ roles: _roles, ...user }, index) => ({ ...user, id: index + 1 }));
    directory.state.fault = ({ path }) =>
      path.startsWith('/v1/users') ? { status: 200, body: { items, totalCount: items.length } } : undefined;
    for (const missing of ['delete', 'disable'] as const) {
      const plan = await client.planSync({ users: [row('kept@acme.example')] }, { missing });
      expect(plan.actions).toEqual([]);
      expect(plan.warnings[0]).toContain('so nobody is removed');
    }
  });

  it('can be deleted', async () => {
    const plan = await client.planSync({ users: [row('kept@acme.example')] }, { missing: 'delete' });
    expect(plan.actions).toMatchObject([{ action: 'delete', key: 'left@acme.example' }]);
  });

  it('can be disabled: their roles and units are removed', async () => {
    const plan = await client.planSync({ users: [row('kept@acme.example')] }, { missing: 'disable' });
    expect(plan.actions).toMatchObject([{ action: 'disable', key: 'left@acme.example' }]);
    await client.applyPlan(plan, { allowRemovals: true, maxRemovalPercent: 100 });
    expect(
      (await client.planSync({ users: [row('kept@acme.example')] }, { missing: 'disable' })).actions,
    ).toEqual([]);
  });

  it('include those whose row says active: false', async () => {
    const plan = await client.planSync(
      { users: [row('kept@acme.example'), row('left@acme.example', { active: false })] },
      { missing: 'delete' },
    );
    expect(plan.actions).toMatchObject([{ action: 'delete', key: 'left@acme.example' }]);
  });

  it('stay when they are protected', async () => {
    const plan = await client.planSync(
      { users: [row('kept@acme.example')] },
      { missing: 'delete', protect: (user) => user.roles?.includes('Readers') === true },
    );
    expect(plan.actions).toEqual([]);
    expect(plan.counts.protected).toBe(1);
  });

  it('stay when the function that protects them returns anything but false', async () => {
    for (const answer of [Promise.resolve(true), 1, undefined]) {
      const protect = () => answer as unknown as boolean;
      const plan = await client.planSync(
        { users: [row('kept@acme.example')] },
        { missing: 'delete', protect },
      );
      expect(plan.actions).toEqual([]);
    }
  });

  it.each(['disable', 'delete'] as const)(
    'never include everyone because the source is empty (%s)',
    async (missing) => {
      await expect(client.planSync({ users: [] }, { missing })).rejects.toMatchObject({
        kind: 'config',
        code: 'empty_source',
      });
      await expect(
        client.planSync({ users: [row('kept@acme.example', { active: false })] }, { missing }),
      ).rejects.toMatchObject({ code: 'empty_source' });
    },
  );

  it('include everyone when that is allowed', async () => {
    const plan = await client.planSync({ users: [] }, { missing: 'delete', allowEmpty: true });
    expect(plan.counts.delete).toBe(2);
  });

  it('include nobody when the source fails midway', async () => {
    await expect(client.planSync({ users: brokenRows() }, { missing: 'delete' })).rejects.toThrow(
      'HR system',
    );
  });

  it('include nobody when a row does not identify a user', async () => {
    const plan = await client.planSync(
      { users: [row('kept@acme.example'), untyped({ firstName: 'No', lastName: 'Address' })] },
      { missing: 'delete' },
    );
    expect(plan.counts.delete).toBe(0);
    expect(plan.warnings).toEqual([expect.stringContaining('No user is removed')]);
  });

  it.each(['left acme.example', 'leaft@acme .example', 'left'])(
    'include nobody when the address of a row is misspelled: "%s"',
    async (email) => {
      const plan = await client.planSync(
        { users: [row('kept@acme.example'), row(email)] },
        { missing: 'delete' },
      );
      expect(plan.counts.delete).toBe(0);
      expect(plan.warnings).toEqual([
        'No user is removed, because 1 row lacks a valid email address. Correct the source and plan again.',
      ]);
    },
  );

  it('include others when a row names an existing user with a malformed address', async () => {
    directory.add({ email: 'two words' });
    const plan = await client.planSync(
      { users: [row('kept@acme.example'), row('two words')] },
      { missing: 'delete' },
    );
    expect(plan.actions).toMatchObject([{ action: 'delete', key: 'left@acme.example' }]);
  });

  it('do not include users of the tenant who have no address', async () => {
    directory.add({ email: '' });
    const plan = await client.planSync({ users: [row('kept@acme.example')] }, { missing: 'delete' });
    expect(plan.actions.map(({ key }) => key)).toEqual(['left@acme.example']);
  });

  it('include nobody when every address is misspelled', async () => {
    for (const missing of ['delete', 'disable'] as const) {
      const plan = await client.planSync({ users: [row('left'), row('right')] }, { missing });
      expect(plan).toMatchObject({ actions: [], counts: { conflicts: 2 } });
      expect(plan.warnings).toEqual([
        expect.stringMatching(/^No user is removed, because 2 rows lack a valid/),
      ]);
    }
  });

  it('include nobody when all rows say that their users have left, unless this is allowed', async () => {
    const users = [row('left@acme.example', { active: false })];
    await expect(client.planSync({ users }, { missing: 'disable' })).rejects.toThrow(
      'The source lists no user to keep, so every user of the tenant would be disabled.',
    );
  });

  it('include others when an inactive row has no address, or rows without one are skipped', async () => {
    const nobody = { firstName: 'No', lastName: 'Address' };
    const plan = (rows: object[], options: object) =>
      client.planSync(
        { users: [row('kept@acme.example'), ...rows.map(untyped)] },
        { missing: 'delete', ...options },
      );
    const inactive = await plan(
      [
        { ...nobody, active: false },
        { email: ' ', active: false },
      ],
      {},
    );
    expect([inactive.counts.delete, inactive.conflicts]).toEqual([1, []]);
    const skipped = await plan([nobody, { email: '' }], { skipWithoutEmail: true });
    expect([skipped.counts.delete, skipped.conflicts]).toEqual([1, []]);
    expect(skipped.warnings).toEqual(['Skipped 2 rows without an email address.']);
    const one = await plan([nobody], { skipWithoutEmail: true });
    expect(one.warnings).toEqual(['Skipped 1 row without an email address.']);
    expect((await plan([nobody], {})).counts.delete).toBe(0);
    // A row that could not be read may be for anybody, whatever the option says.
    expect(
      (await plan([{ email: '', problem: 'it is broken' }], { skipWithoutEmail: true })).counts.delete,
    ).toBe(0);
  });

  it.each<[string, Partial<DesiredUser> & { email: string }]>([
    ['that a reader could not read', { email: '', problem: 'it has 4 cells' }],
    ...[
      "'left@acme.example",
      '<left@acme.example>',
      'Left One <left@acme.example>',
      'left@acme.example;',
      'left@acme..example',
      '1.left@acme.example',
      '_left@acme.example',
      'left@acme .example',
      'ｌeft@acme.example',
      'left＠acme.example',
      'le\u200Bft@acme.example',
    ].map((email): [string, DesiredUser] => [`with an address that is not plain: ${email}`, row(email)]),
    ['whose next cell ran into the address', { ...row('left@acme.exampleLeft'), isShort: true }],
    ['whose cell before ran into the address', { ...row('Łleft@acme.example'), isShort: true }],
  ])('include nobody when there is a row %s', async (_, bad) => {
    const { actions, conflicts, warnings } = await client.planSync(
      { users: [row('new@acme.example'), row('kept@acme.example'), bad] },
      { missing: 'delete' },
    );
    expect(conflicts).toMatchObject([{ code: 'invalid_row' }]);
    // The others are used.
    expect(actions).toMatchObject([{ action: 'create', key: 'new@acme.example' }]);
    expect(warnings).toEqual([expect.stringContaining('No user is removed, because 1 row lacks a valid')]);
  });

  it('include nobody when the separator behind an address is lost in a CSV', async () => {
    const plan = (text: string) =>
      client.planSync(
        { users: usersFromCsv(text) },
        { missing: 'delete', defaults: { type: 'UserPass', lastName: 'Last' } },
      );
    const text = 'email,firstName,type\nkept@acme.example,First,\nleft@acme.exampleLéft,UserPass\n';
    expect(await plan(text)).toMatchObject({ actions: [], counts: { conflicts: 1 } });
    // Control: a short row is not a damaged one, and somebody else is not meant.
    const other = 'email,firstName,type\nkept@acme.example\naleft@acme.example,First,UserPass\n';
    expect((await plan(other)).counts).toMatchObject({ create: 1, delete: 1, conflicts: 0 });
  });

  const decorated =
    '*@ @* @/ @! @¹ @- “@” «@» ‹@› `@` ＜@＞ •@ #@ =@ /@ ➔@ mail=@ ?@ -@ @_ @\u20E3 @\uFE0F @… ㊟@ @’ @†'
      .split(' ')
      .map((decoration, number) => decoration.replace('@', `left.n${number}@acme.example`));
  const graph = (mail: string) => ({ mail, givenName: 'First', surname: 'Last', accountEnabled: true });

  it.each<[string, (addresses: readonly string[]) => AsyncIterable<DesiredUser> | DesiredUser[]]>([
    ['a program', (addresses) => addresses.map((email) => row(email))],
    ['a CSV', (addresses) => usersFromCsv(`email,type\n${addresses.map((email) => `${email},\n`).join('')}`)],
    ['Graph', (addresses) => usersFromJson(JSON.stringify({ value: addresses.map(graph) }))],
    ['JSON', (addresses) => usersFromJson(JSON.stringify(addresses.map((email) => ({ email }))))],
  ])('include nobody when addresses are decorated in %s', async (_, read) => {
    for (const number of decorated.keys()) directory.add({ email: `left.n${number}@acme.example` });
    const users = read(['kept@acme.example', ...decorated]);
    const { actions, conflicts } = await client.planSync({ users }, { missing: 'delete' });
    expect(conflicts).toHaveLength(decorated.length);
    expect(actions).toEqual([]);
  });

  it('include nobody when an address has letters of two scripts', async () => {
    const users = [row('kept@acme.example'), row('l\u0435ft@acme.example')];
    const plan = await client.planSync({ users }, { missing: 'delete' });
    expect([plan.actions, plan.conflicts.length]).toEqual([[], 1]);
  });

  it.each([
    ['the same name', { firstName: 'Ana', lastName: 'Adler' }],
    ['the same name in other letters', { firstName: 'ANA', lastName: 'Adler ' }],
    ['the same first name, if nobody else has it', { firstName: 'Ana', lastName: 'Stein' }],
  ])('are noted together with a newcomer of %s', async (_, names) => {
    directory.add({ email: 'ana.adler@acme.example', firstName: 'Ana', lastName: 'Adler' });
    const users = [row('kept@acme.example'), row('new@acme.example', names)];
    for (const missing of ['delete', 'keep'] as const) {
      const plan = await client.planSync({ users }, { missing });
      expect(plan.actions.filter(({ key }) => /^(?:ana|new)/.test(key))).toMatchObject([
        { action: 'create', maybeSameAs: 'ana.adler@acme.example' },
        ...(missing === 'delete' ? [{ action: 'delete', maybeSameAs: 'new@acme.example' }] : []),
      ]);
    }
  });

  it.each([
    ['several newcomers', ['Ana Stein', 'Ana Holm'], ['Ana Adler']],
    ['several who go', ['Ana Stein'], ['Ana Adler', 'Ana Koch']],
    ['nobody: names are missing', ['Ana Stein'], [' ']],
  ])('are not noted together with a newcomer whose first name %s have', async (_, newcomers, leavers) => {
    const named = (name: string) => ({
      firstName: name.split(' ')[0] ?? '',
      lastName: name.split(' ')[1] ?? '',
    });
    for (const [number, name] of leavers.entries())
      directory.add({ email: `left-${number}@acme.example`, ...named(name) });
    const users = newcomers.map((name, number) => row(`new-${number}@acme.example`, named(name)));
    const { actions } = await client.planSync({ users }, { missing: 'delete' });
    expect(actions.filter(({ key }) => /-\d@/.test(key))).toHaveLength(newcomers.length + leavers.length);
    expect(actions.filter((action) => 'maybeSameAs' in action)).toEqual([]);
  });

  it('do not include those whose row is invalid', async () => {
    const plan = await client.planSync(
      { users: [row('kept@acme.example'), row('left@acme.example', { firstName: '' })] },
      { missing: 'delete' },
    );
    expect(plan.counts.delete).toBe(0);
    expect(plan.conflicts).toMatchObject([{ code: 'invalid_row', key: 'left@acme.example' }]);
  });
});

describe('roles, units and items', () => {
  it('are created when they are missing, parents before children and all of them before users', async () => {
    directory.units.push({ id: 'ou-1', name: 'Customers', parentId: 'root', directoryGroupId: null });
    const plan = await client.planSync({
      users: [row('a@acme.example', { organizationUnits: ['/Customers/Acme/North'] })],
      roles: [
        { name: 'Readers', type: 'Report' },
        { name: 'North', type: 'RLS', code: 'region-north' },
      ],
      organizationUnits: [{ path: '/Customers/Acme/North' }, { path: '/Customers/Acme' }],
      items: [{ type: 'report', workspaceId: 'W', reportId: 'R', displayName: 'Sales' }],
    });
    expect(plan.actions.map((action) => `${action.action} ${action.resource} ${action.key}`)).toEqual([
      'create role north',
      'create organizationUnit /Customers/Acme',
      'create organizationUnit /Customers/Acme/North',
      'create item w/r',
      'create user a@acme.example',
    ]);
    const result = await client.applyPlan(plan);
    expect(result).toMatchObject({ done: { create: 5 }, failed: [], drifted: [] });
    expect(directory.units).toMatchObject([
      { id: 'ou-1', name: 'Customers' },
      { id: 'ou-2', name: 'Acme', parentId: 'ou-1' },
      { id: 'ou-3', name: 'North', parentId: 'ou-2' },
    ]);
    expect(directory.contents()).toMatchObject([{ organizationUnits: ['ou-3'] }]);
  });

  it('that the tenant has, or that are listed twice, are not created', async () => {
    const item = { type: 'report', workspaceId: 'W', reportId: 'R', displayName: 'Sales' };
    const desired = {
      roles: [
        { name: 'READERS', type: 'System' },
        { name: 'New', type: 'Report' },
        { name: 'New', type: 'RLS', code: 'new' },
      ],
      items: [item, { ...item, workspaceId: 'w', displayName: 'Sales 2' }],
    };
    const plan = await client.planSync(desired);
    expect(plan.actions.map(({ key }) => key)).toEqual(['new', 'w/r']);
    expect(plan.counts).toMatchObject({ unchanged: 3, conflicts: 0 });
    await client.applyPlan(plan);
    expect((await client.planSync(desired)).actions).toEqual([]);
  });

  it('that users need and the tenant lacks are conflicts of their rows, and the others are used', async () => {
    const users = [
      row('a@acme.example', { organizationUnits: ['/Nowhere', 'ou-77'], origin: 'line 2' }),
      ...[3, 4, 5].map((line) => row(`${line}@acme.example`, { roles: ['Raeders'], origin: `line ${line}` })),
      row('z@acme.example', { roles: ['Readers'] }),
    ];
    directory.add({ email: '3@acme.example' });
    const plan = await client.planSync({ users }, { missing: 'delete' });
    expect(plan.actions).toMatchObject([{ action: 'create', key: 'z@acme.example' }]);
    expect(plan.conflicts.map(({ code, message }) => [code, message])).toEqual([
      [
        'unknown_name',
        'line 2 cannot be used: the tenant has no organizational unit "/Nowhere"; the tenant has no organizational unit "ou-77".',
      ],
      ...[3, 4, 5].map((line) => [
        'unknown_name',
        `line ${line} cannot be used: the tenant has no role "Raeders".`,
      ]),
    ]);
    const byDefault = await client.planSync(
      { users: [row('a@acme.example')] },
      { defaults: { roles: ['Raeders'] } },
    );
    expect(byDefault.conflicts).toMatchObject([{ code: 'unknown_name' }]);
    const roles = [{ name: 'Raeders', type: 'Report' }];
    const planned = await client.planSync({ users: users.slice(1), roles });
    expect(planned.counts).toMatchObject({ create: 4, update: 1, conflicts: 0 });
  });

  it('are planned as roles, listed units, items, and then the units that only rows name', async () => {
    const plan = await client.planSync(
      {
        users: [row('a@acme.example', { organizationUnits: ['/Late'], roles: ['North'] })],
        items: [{ type: 'report', workspaceId: 'W', reportId: 'R', displayName: 'Sales' }],
        organizationUnits: [{ path: '/Early' }],
        roles: [{ name: 'North', type: 'Report' }],
      },
      { createMissing: true },
    );
    expect(plan.actions.map(({ resource, key }) => `${resource} ${key}`)).toEqual([
      'role north',
      'organizationUnit /Early',
      'item w/r',
      'organizationUnit /Late',
      'user a@acme.example',
    ]);
    expect(await client.applyPlan(plan)).toMatchObject({ isComplete: true, done: { create: 5 } });
  });

  it('that only a row names are created with createMissing, if they are units', async () => {
    const users = [
      row('a@acme.example', { organizationUnits: ['/Customers/Acme/North'] }),
      row('b@acme.example', { organizationUnits: ['/Customers/Acme'], roles: ['Nobody'] }),
    ];
    const plan = await client.planSync({ users }, { createMissing: true });
    expect(plan.actions.map(({ resource, key }) => `${resource} ${key}`)).toEqual([
      'organizationUnit /Customers',
      'organizationUnit /Customers/Acme',
      'organizationUnit /Customers/Acme/North',
      'user a@acme.example',
    ]);
    expect(plan.conflicts).toMatchObject([{ code: 'unknown_name', key: 'b@acme.example' }]);
    expect((await client.applyPlan(plan)).isComplete).toBe(true);
    expect(directory.contents()).toMatchObject([{ organizationUnits: ['ou-3'] }]);
    expect((await client.planSync({ users: users.slice(0, 1) })).actions).toEqual([]);
  });

  it.each(['/operations', '/ OPERATIONS/', '/Operations\u200b', '/operations/East'])(
    'that look like a unit of the tenant are not created, and name it: %j',
    async (path) => {
      directory.units.push({ id: 'ou-1', name: 'Operations', parentId: 'root', directoryGroupId: null });
      const users = [row('a@acme.example', { organizationUnits: [path] })];
      for (const desired of [{ users }, { organizationUnits: [{ path }] }]) {
        const plan = await client.planSync(desired, { createMissing: true });
        expect(plan.actions).toEqual([]);
        expect(plan.conflicts).toMatchObject([{ message: expect.stringContaining('/Operations') }]);
      }
      // Control: another name is created.
      users[0] = row('a@acme.example', { organizationUnits: ['/Operation'] });
      expect((await client.planSync({ users }, { createMissing: true })).counts.create).toBe(2);
    },
  );

  it.each([
    ['the root', ['/'], []],
    ['a unit, with a slash at the end', ['/Customers/', '/'], ['ou-1']],
    ['a unit in another Unicode form', ['/Su\u0308d'], ['ou-2']],
  ])('of a row may be %s', async (_, organizationUnits, ids) => {
    directory.units.push({ id: 'ou-1', name: 'Customers', parentId: 'root', directoryGroupId: null });
    directory.units.push({ id: 'ou-2', name: 'S\u00fcd', parentId: 'root', directoryGroupId: null });
    const plan = await client.planSync({ users: [row('a@acme.example', { organizationUnits })] });
    expect(plan.actions).toMatchObject([{ to: { organizationUnits: ids } }]);
  });

  it('stay unchanged for a user whose row has the root', async () => {
    directory.units.push({ id: 'ou-1', name: 'Customers', parentId: 'root', directoryGroupId: null });
    directory.add({ email: 'a@acme.example', organizationUnits: ['ou-1'] });
    const users = [row('a@acme.example', { organizationUnits: ['/'] })];
    expect((await client.planSync({ users })).actions).toEqual([]);
    const cleared = await client.planSync({ users }, { emptyClears: true });
    expect(cleared.actions).toMatchObject([{ to: { organizationUnits: [] } }]);
  });

  it('are found by a path with a slash in a name, and only by their identifier without a way to the top', async () => {
    const add = (id: string, name: string, parentId = 'root') =>
      directory.units.push({ id, name, parentId, directoryGroupId: null });
    add('1', 'A/B~C');
    add('2', 'A');
    add('3', 'B~C', '2');
    add('4', 'Lost', '5');
    add('5', 'Lost too', '4');
    add('6', 'Orphan', 'gone');
    const wanted = ['/A~1B~0C', '/A/B~0C', '/Lost', '/Lost too/Lost', '/Orphan', '6'];
    const users = wanted.map((unit, number) => row(emailOf(number), { organizationUnits: [unit] }));
    const plan = await client.planSync({ users });
    expect(plan.actions).toMatchObject(['1', '3', '6'].map((id) => ({ to: { organizationUnits: [id] } })));
    expect(plan.conflicts.map(({ key }) => key)).toEqual([2, 3, 4].map(emailOf));
  });

  it('may be a chain of ten thousand units', async () => {
    for (let number = 0; number < 10_000; number += 1)
      directory.units.push({
        id: `u${number}`,
        name: 'N',
        parentId: number === 0 ? 'root' : `u${number - 1}`,
        directoryGroupId: null,
      });
    const users = [row('a@acme.example', { organizationUnits: ['/N/N', 'u9999'] })];
    const [action] = (await client.planSync({ users })).actions;
    expect(action).toMatchObject({ to: { organizationUnits: ['u1', 'u9999'] } });
  });

  it('compare in any Unicode form', async () => {
    directory.addRole('\u00c9quipe', 'System');
    directory.add({ email: 'a@acme.example', roles: ['\u00c9quipe'] });
    const users = [
      row('a@acme.example', { roles: ['E\u0301quipe'] }),
      row('b@acme.example', { roles: ['E\u0301quipe'] }),
    ];
    const { actions } = await client.planSync({ users });
    expect(actions).toMatchObject([
      { key: 'b@acme.example', to: { roles: ['\u00c9quipe'] }, dangers: ['administrator_gained'] },
    ]);
  });

  it('that a user loses are marked when they belong to an administrator', async () => {
    directory.addRole('Owner', 'System');
    directory.add({ email: 'a@acme.example', roles: ['Owner', 'Readers'] });
    directory.add({ email: 'b@acme.example', roles: ['Owner', 'Readers'] });
    const users = [
      row('a@acme.example', { roles: ['Readers'] }),
      row('b@acme.example', { roles: ['Owner'] }),
    ];
    const { actions } = await client.planSync({ users });
    expect(actions).toMatchObject([{ dangers: ['administrator_lost'] }, { key: 'b@acme.example' }]);
    expect(actions.map(isDangerous)).toEqual([true, false]);
  });

  it('show their paths in the plan', async () => {
    directory.units.push({ id: 'ou-1', name: 'Customers', parentId: 'root', directoryGroupId: null });
    const plan = await client.planSync({ users: [row('a@acme.example', { organizationUnits: ['ou-1'] })] });
    expect(plan.unitPaths).toEqual({ 'ou-1': '/Customers' });
  });
});
