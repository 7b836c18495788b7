import {
  type ApplyOptions,
  createPortalClient,
  type DesiredUser,
  type PlanOptions,
  parseSyncPlan,
} from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fc } from '../support/fc.ts';
import { sized } from '../support/size.ts';
import { type Directory, type Fault, startDirectory } from './support/directory.ts';

const start = async (fault?: Fault) => {
  const directory = await startDirectory(fault);
  const client = createPortalClient({
    baseUrl: directory.baseUrl,
    apiKey: 'test-api-key-0123456789',
  });
  onTestFinished(async () => {
    await client.close();
    await directory.close();
  });
  return { directory, client };
};

const row = (email: string, rest: Partial<DesiredUser> = {}): DesiredUser => ({
  email,
  type: 'UserPass',
  firstName: 'First',
  lastName: 'Last',
  roles: [],
  organizationUnits: [],
  ...rest,
});

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => row(`user-${index}@acme.example`));

const anything = { allowRemovals: true, maxRemovals: Infinity, maxRemovalPercent: 100 };

describe('applying a plan', () => {
  it('makes the planned changes and reports them', async () => {
    const { client, directory } = await start();
    directory.add({ email: 'b@acme.example', roles: ['Readers'] });
    directory.add({ email: 'c@acme.example' });
    const users = [row('a@acme.example'), row('b@acme.example', { roles: ['Managers'] })];
    const plan = await client.planSync({ users }, { missing: 'delete' });
    const progress: unknown[] = [];
    const result = await client.applyPlan(plan, { ...anything, onProgress: (step) => progress.push(step) });
    expect(result).toEqual({
      isComplete: true,
      done: { create: 1, update: 1, disable: 0, delete: 1 },
      already: 0,
      drifted: [],
      failed: [],
      notAllowed: { removals: 0, administrators: 0 },
      unknown: 0,
      left: 0,
      stopped: undefined,
    });
    expect(progress.at(-1)).toEqual({ done: 3, total: 3, failed: 0 });
    expect(directory.contents().map((user) => [user.email, user.roles])).toEqual([
      ['a@acme.example', []],
      ['b@acme.example', ['Managers']],
    ]);
  });

  it('sends only the fields that differ, and lists as a whole', async () => {
    const { client, directory } = await start();
    const there = directory.add({ email: 'b@acme.example', roles: ['Readers'] });
    const plan = await client.planSync({
      users: [row('b@acme.example', { roles: ['Readers', 'Managers'] })],
    });
    await client.applyPlan(plan);
    expect(directory.writes).toEqual([
      { method: 'PATCH', path: `/v1/users/${there.id}`, body: { roles: ['Readers', 'Managers'] } },
    ]);
  });

  it('continues after single failures and names them', async () => {
    const { client, directory } = await start(({ method, body }) =>
      method === 'POST' && body.email.startsWith('user-3@')
        ? { status: 400, body: { error: { code: 'invalid', message: 'Not this one.' } } }
        : undefined,
    );
    const result = await client.applyPlan(await client.planSync({ users: rows(10) }));
    expect(result.done.create).toBe(9);
    expect(result.failed).toMatchObject([
      { action: 'create', target: 'user-3@acme.example', message: expect.stringContaining('"Not this one"') },
    ]);
    expect(directory.users.size).toBe(9);
  });

  it('skips a user who changed since the plan was made', async () => {
    const { client, directory } = await start();
    const changed = directory.add({ email: 'a@acme.example', roles: ['Readers'] });
    const deleted = directory.add({ email: 'b@acme.example', roles: ['Readers'] });
    const renamed = directory.add({ email: 'c@acme.example', roles: ['Readers'] });
    directory.add({ email: 'd@acme.example', lastName: 'Before' });
    const users = ['a', 'b', 'c'].map((name) => row(`${name}@acme.example`, { roles: ['Managers'] }));
    const plan = await client.planSync({ users }, { missing: 'delete' });
    changed.roles = ['Somebody else decided'];
    directory.users.delete(deleted.id);
    renamed.email = 'other@acme.example';
    directory.users.get(4)!.lastName = 'After';
    const result = await client.applyPlan(plan, anything);
    expect(result.drifted.map(({ target, message }) => [target, message])).toEqual([
      ['a@acme.example', 'its roles changed since the plan was made'],
      ['b@acme.example', 'the user no longer exists'],
      ['c@acme.example', 'the user now has another email address'],
      ['d@acme.example', 'its lastName changed since the plan was made'],
    ]);
    expect(directory.writes).toEqual([]);
  });

  it.each([
    ['missing', 'empty', undefined, ''],
    ['empty', 'missing', '', undefined],
    ['missing', 'null', undefined, null],
  ])('does not skip a user whose text was %s in the plan and is %s now', async (_was, _is, before, now) => {
    const { client, directory } = await start();
    const user = directory.add({ email: 'a@acme.example' });
    Object.assign(user, { lastName: before });
    const plan = await client.planSync({ users: [row('a@acme.example')] });
    expect(plan.actions).toMatchObject([{ from: { lastName: '' }, to: { lastName: 'Last' } }]);
    Object.assign(user, { lastName: now });
    expect(await client.applyPlan(plan)).toMatchObject({ isComplete: true, done: { update: 1 } });
    expect(user.lastName).toBe('Last');
  });

  it('counts a user who is already in the desired state as done', async () => {
    const { client, directory } = await start();
    const user = directory.add({ email: 'a@acme.example', roles: ['Readers'] });
    const plan = await client.planSync({
      users: [row('a@acme.example', { roles: ['Managers'] }), row('b@acme.example')],
    });
    user.roles = ['Managers'];
    directory.add({ email: 'b@acme.example' });
    expect(await client.applyPlan(plan)).toMatchObject({ already: 2, failed: [], drifted: [] });
  });

  it('waits after a 429 response, which means that nothing was changed, and continues', async () => {
    let refusals = 0;
    const { client, directory } = await start(({ method }) =>
      method === 'POST' && (refusals += 1) % 3 !== 0
        ? { status: 429, headers: { 'retry-after': '0' } }
        : undefined,
    );
    const result = await client.applyPlan(await client.planSync({ users: rows(5) }), { concurrency: 1 });
    expect(result).toMatchObject({ done: { create: 5 }, failed: [] });
    expect(directory.users.size).toBe(5);
  });

  it('checks whether a user was created after a lost response, and creates nobody twice', async () => {
    const broken = new Set<string>();
    const { client, directory } = await start(({ method, body }) => {
      if (method !== 'POST' || broken.has(body.email)) return undefined;
      broken.add(body.email);
      return 'break after';
    });
    const result = await client.applyPlan(await client.planSync({ users: rows(3) }), { concurrency: 1 });
    expect(directory.users.size).toBe(3);
    expect(directory.writes).toHaveLength(3);
    expect(result).toMatchObject({ already: 3, failed: [] });
    expect((await client.planSync({ users: rows(3) })).actions).toEqual([]);
  });

  it('counts users that another run creates at the same time as done, and reads the users only once for them', async () => {
    const { client, directory } = await start();
    const plan = await client.planSync({ users: rows(60) });
    directory.state.fault = ({ method, body }) => {
      // The other run is always slightly ahead, except for the first user.
      if (method === 'POST' && body.email !== 'user-0@acme.example') directory.add(body);
      return undefined;
    };
    directory.state.reads = 0;
    const result = await client.applyPlan(plan, { concurrency: 4 });
    expect(result).toMatchObject({ done: { create: 1 }, already: 59, failed: [], drifted: [] });
    // Roles, units and users.
    expect(directory.state.reads).toBeLessThanOrEqual(3);
    expect(directory.users.size).toBe(60);
  });

  it('counts users whom another run deletes at the same time as done', async () => {
    const { client, directory } = await start();
    for (const email of ['left-1@acme.example', 'left-2@acme.example']) directory.add({ email });
    const plan = await client.planSync({ users: rows(1) }, { missing: 'delete' });
    directory.state.fault = ({ method }) =>
      method === 'DELETE'
        ? { status: 404, body: { error: { code: 'not_found', message: 'Gone.' } } }
        : undefined;
    const options = { allowRemovals: true, maxRemovalPercent: 100 };
    expect(await client.applyPlan(plan, options)).toMatchObject({ already: 2, failed: [] });
    // Control: another answer is a failure.
    directory.state.fault = ({ method }) =>
      method === 'DELETE' ? { status: 400, body: { error: { code: 'invalid', message: 'No.' } } } : undefined;
    expect((await client.applyPlan(plan, options)).failed).toHaveLength(2);
  });

  it('names a user whom somebody else created differently at the same time', async () => {
    const { client, directory } = await start();
    const plan = await client.planSync({ users: rows(2) });
    directory.state.fault = ({ method, body }) => {
      if (method === 'POST') directory.add({ ...body, lastName: 'Another' });
      return undefined;
    };
    const result = await client.applyPlan(plan);
    expect(result.failed).toEqual([]);
    expect(result.drifted.map(({ message }) => message)).toEqual([
      'a user with this address exists with a different lastName',
      'a user with this address exists with a different lastName',
    ]);
  });

  it('says which fields of a user the portal rejected', async () => {
    const { client, directory } = await start();
    const plan = await client.planSync({ users: rows(1) });
    directory.state.fault = ({ method }) =>
      method === 'POST'
        ? {
            status: 400,
            body: { message: 'Not valid.', validationErrors: [{ field: 'email', message: 'is reserved' }] },
          }
        : undefined;
    const { failed } = await client.applyPlan(plan);
    expect(failed).toMatchObject([
      {
        message:
          'POST /v1/users: The portal refused the request (status 400): "Not valid". email: is reserved.',
      },
    ]);
  });

  it('rejects when the portal rejects the key, and stops early when it does so later', async () => {
    const { client, directory } = await start();
    const plan = await client.planSync({ users: rows(100) });
    directory.state.fault = () => ({ status: 401 });
    await expect(client.applyPlan(plan)).rejects.toMatchObject({ kind: 'unauthorized' });
    directory.state.fault = ({ method }) => (method === 'POST' ? { status: 401 } : undefined);
    const result = await client.applyPlan(plan, { concurrency: 4 });
    expect(result.stopped).toBe('unauthorized');
    expect(result.failed.length).toBeLessThanOrEqual(4);
    expect(result.left).toBe(100 - result.failed.length);
  });

  it('stops when the portal is down instead of failing for every user', async () => {
    const { client, directory } = await start();
    const plan = await client.planSync({ users: rows(200) });
    directory.state.fault = ({ method }) => (method === 'POST' ? { status: 503 } : undefined);
    const result = await client.applyPlan(plan, { concurrency: 4 });
    expect(result.stopped).toBe('portal_down');
    expect(result.failed.length).toBeLessThan(40);
  });

  it('stops after the actions in flight when the signal aborts', async () => {
    const { client, directory } = await start();
    const stop = new AbortController();
    const plan = await client.planSync({ users: rows(50) });
    const result = await client.applyPlan(plan, {
      concurrency: 1,
      signal: stop.signal,
      onProgress: ({ done }) => done === 10 && stop.abort(),
    });
    expect(result).toMatchObject({ stopped: 'aborted', done: { create: 10 }, left: 40 });
    expect(directory.users.size).toBe(10);
  });

  it('stops while it waits after a 429 response, and counts no untried action as failed', async () => {
    const stop = new AbortController();
    const { client } = await start(({ method }) => {
      if (method !== 'POST') return undefined;
      setTimeout(() => stop.abort(), 50);
      return { status: 429, headers: { 'retry-after': '60' } };
    });
    const result = await client.applyPlan(await client.planSync({ users: rows(3) }), {
      concurrency: 1,
      signal: stop.signal,
    });
    expect(result).toMatchObject({ stopped: 'aborted', failed: [], unknown: 1, left: 2 });
  });

  it('continues when a listener throws', async () => {
    const { client, directory } = await start();
    const onProgress = () => {
      throw new Error('no terminal');
    };
    const result = await client.applyPlan(await client.planSync({ users: rows(5) }), { onProgress });
    expect(result).toMatchObject({ done: { create: 5 } });
    expect(directory.users.size).toBe(5);
  });

  it('rejects a saved plan that was edited or damaged, and what is not a plan', async () => {
    const { client, directory } = await start();
    directory.add({ email: 'user-9@acme.example' });
    const plan = await client.planSync({ users: rows(5) }, { missing: 'delete' });
    const [first, ...others] = plan.actions;
    const text = JSON.stringify(plan);
    // Control: neither spaces nor the place of the actions matter.
    const { actions, ...rest } = plan;
    for (const saved of [text, JSON.stringify(plan, undefined, 2), JSON.stringify({ ...rest, actions })])
      expect(parseSyncPlan(saved)).toEqual(plan);
    for (const edited of [
      '',
      '{}',
      '[]',
      'null',
      text.slice(0, -1),
      text.replace('user-3@', 'user-8@'),
      text.replaceAll('"delete"', '"create"'),
      JSON.stringify({ ...plan, version: 1 }),
      JSON.stringify({ ...plan, checksum: undefined }),
      JSON.stringify({ ...plan, actions: others }),
      JSON.stringify({ ...plan, actions: [...plan.actions, first] }),
      JSON.stringify({ ...plan, actions: [...others, first] }),
      JSON.stringify({ ...plan, actions: undefined }),
      JSON.stringify({ ...plan, counts: { ...plan.counts, existingUsers: 1_000_000 } }),
    ])
      expect(() => parseSyncPlan(edited)).toThrow('it was changed after planSync created it');
  });
});

const planDeletes = async (existing: number, deletes: number) => {
  const { client, directory } = await start();
  for (const { email } of rows(existing)) directory.add({ email });
  const plan = await client.planSync({ users: rows(existing).slice(deletes) }, { missing: 'delete' });
  expect(plan.counts.delete).toBe(deletes);
  return { client, directory, plan };
};

describe('removals', () => {
  it('are skipped unless they are allowed', async () => {
    const { client, directory, plan } = await planDeletes(100, 3);
    expect(await client.applyPlan(plan)).toMatchObject({
      notAllowed: { removals: 3 },
      done: { delete: 0 },
    });
    expect(directory.writes).toEqual([]);
  });

  it('are made when it is one, whatever its share', async () => {
    const { client, directory, plan } = await planDeletes(3, 1);
    expect(await client.applyPlan(plan, { allowRemovals: true })).toMatchObject({ done: { delete: 1 } });
    expect(directory.users.size).toBe(2);
    const another = await planDeletes(3, 1);
    await expect(
      another.client.applyPlan(another.plan, { allowRemovals: true, maxRemovals: 0 }),
    ).rejects.toMatchObject({ code: 'removal_cap' });
  });

  it('are made when they are allowed and few', async () => {
    const { client, directory, plan } = await planDeletes(100, 3);
    expect(await client.applyPlan(plan, { allowRemovals: true })).toMatchObject({ done: { delete: 3 } });
    expect(directory.users.size).toBe(97);
  });

  it.each<[string, [number, number], ApplyOptions]>([
    ['10 by default', [1_000, 11], {}],
    ['5% by default', [100, 6], {}],
    ['a maximum count', [1_000, 3], { maxRemovals: 2 }],
    ['a maximum percentage', [100, 3], { maxRemovalPercent: 2 }],
    ['a limit that is not a number', [100, 3], { maxRemovals: Number.NaN }],
  ])('above the cap reject the whole plan before any request: %s', async (_, [existing, deletes], limits) => {
    const { client, directory, plan } = await planDeletes(existing, deletes);
    await expect(client.applyPlan(plan, { allowRemovals: true, ...limits })).rejects.toMatchObject({
      kind: 'config',
      code: 'removal_cap',
    });
    expect(directory.writes).toEqual([]);
  });
});

describe('an administrator role', () => {
  const planLoss = async () => {
    const { client, directory } = await start();
    directory.addRole('Tenant administrator', 'System');
    directory.add({ email: 'Boss@Acme.example', roles: ['Tenant administrator'] });
    directory.add({ email: 'reader@acme.example', roles: ['Readers'] });
    const users = ['boss', 'reader'].map((name) => row(`${name}@acme.example`, { roles: ['Managers'] }));
    return { client, directory, plan: await client.planSync({ users }) };
  };

  it('is not removed unless that is allowed', async () => {
    const { client, directory, plan } = await planLoss();
    const result = await client.applyPlan(plan, { allowRemovals: true });
    expect(result).toMatchObject({
      notAllowed: { removals: 0, administrators: 1 },
      done: { update: 1 },
    });
    expect(result.isComplete).toBe(true);
    expect(directory.writes.map(({ path }) => path)).toEqual(['/v1/users/2']);
  });

  it.each(['disable', 'delete'] as const)(
    'keeps its user from being removed (%s) unless both are allowed',
    async (missing) => {
      const { client, directory } = await start();
      directory.addRole('Tenant administrator', 'System');
      directory.add({ email: 'boss@acme.example', roles: ['Tenant administrator'] });
      directory.add({ email: 'reader@acme.example', roles: ['Readers'] });
      const users = [row('reader@acme.example', { roles: ['Readers'] })];
      const plan = await client.planSync({ users }, { missing });
      expect(plan.actions).toMatchObject([
        { action: missing, dangers: [`${missing}d`, 'administrator_lost'] },
      ]);
      const limits = { maxRemovalPercent: 100 };
      const removal = await client.applyPlan(plan, { ...limits, allowRemovals: true });
      expect(removal.notAllowed).toEqual({ removals: 0, administrators: 1 });
      const loss = await client.applyPlan(plan, { ...limits, allowAdministrators: true });
      expect(loss.notAllowed).toEqual({ removals: 1, administrators: 0 });
      expect(directory.writes).toEqual([]);
      const both = { ...limits, allowRemovals: true, allowAdministrators: true };
      expect((await client.applyPlan(plan, both)).done).toMatchObject({ [missing]: 1 });
    },
  );

  it('is removed when that is allowed', async () => {
    const { client, directory, plan } = await planLoss();
    const result = await client.applyPlan(plan, { allowAdministrators: true });
    expect(result).toMatchObject({ notAllowed: { administrators: 0 }, done: { update: 2 } });
    expect(directory.contents().map(({ roles }) => roles)).toEqual([['Managers'], ['Managers']]);
  });
});

describe('a run that did not do everything', () => {
  it('counts actions in flight at a stop separately from actions that were not reached', async () => {
    const { client, directory } = await start();
    const stop = new AbortController();
    directory.state.fault = ({ method, body }) => {
      if (method === 'POST' && body.email === 'user-5@acme.example') stop.abort();
      return undefined;
    };
    const plan = await client.planSync({ users: rows(20) });
    const result = await client.applyPlan(plan, { signal: stop.signal, concurrency: 1 });
    expect(result).toMatchObject({ done: { create: 5 }, unknown: 1, left: 14, stopped: 'aborted' });
    expect(result.isComplete).toBe(false);
  });

  it('is continued by planning again, and nothing is done twice', async () => {
    const { client, directory } = await start();
    const stop = new AbortController();
    await client.applyPlan(await client.planSync({ users: rows(40) }), {
      signal: stop.signal,
      onProgress: ({ done }) => done === 15 && stop.abort(),
    });
    expect(directory.users.size).toBeLessThan(40);
    const result = await client.applyPlan(await client.planSync({ users: rows(40) }));
    expect(result).toMatchObject({ failed: [], drifted: [], left: 0, already: 0 });
    expect(directory.users.size).toBe(40);
    const created = directory.writes.map(({ body }) => body.email);
    expect(new Set(created).size).toBe(40);
  });

  it('may be applied again as it is: the tenant has each user once', async () => {
    const { client, directory } = await start();
    const plan = await client.planSync({ users: rows(5) });
    await client.applyPlan(plan);
    expect(await client.applyPlan(plan)).toMatchObject({ already: 5, failed: [], drifted: [] });
    expect(directory.users.size).toBe(5);
  });
});

const prepare = async (existing: readonly { email: string; firstName: string; roles: string[] }[]) => {
  const directory = await startDirectory();
  for (const user of existing) directory.add(user);
  const client = createPortalClient({
    baseUrl: directory.baseUrl,
    apiKey: 'test-api-key-0123456789',
  });
  const close = async () => {
    await client.close();
    await directory.close();
  };
  return { directory, client, close };
};

const planOptions = (missing: 'keep' | 'disable' | 'delete'): PlanOptions => ({
  missing,
  allowEmpty: true,
  defaults: { type: 'UserPass', lastName: 'Last' },
});

const applyOnce = async (
  given: { existing: any[]; wanted: DesiredUser[]; missing: 'keep' | 'disable' | 'delete' },
  run: (tools: { client: ReturnType<typeof createPortalClient>; directory: Directory }) => Promise<void>,
) => {
  const { directory, client, close } = await prepare(given.existing);
  try {
    await run({ client, directory });
    const again = await client.planSync({ users: given.wanted }, planOptions(given.missing));
    expect(again.actions).toEqual([]);
    return directory.contents();
  } finally {
    await close();
  }
};

describe('any desired state', () => {
  const address = fc
    .tuple(
      fc.integer({ min: 0, max: 12 }),
      fc.constantFrom('lower', 'UPPER', 'nfd'),
      fc.constantFrom('zoé', 'ada', 'ıI'),
    )
    .map(([number, form, name]) => {
      const text = `${name}-${number}@acme.example`;
      return form === 'UPPER' ? text.replace('ada', 'ADA') : form === 'nfd' ? text.normalize('NFD') : text;
    });
  const lists = fc.uniqueArray(fc.constantFrom('Readers', 'Managers', 'Writers'), { maxLength: 3 });
  const person = fc.record({ email: address, firstName: fc.constantFrom('A', 'Å', 'B'), roles: lists });
  const wantedPerson = fc.record({
    email: address,
    firstName: fc.constantFrom('A', 'A\u030a', 'B'),
    roles: fc.option(lists, { nil: undefined }),
    active: fc.constantFrom(true, true, true, false, undefined),
  });
  const scenario = fc.record({
    existing: fc.uniqueArray(person, {
      selector: (user) => user.email.normalize('NFC').toLowerCase(),
      maxLength: 15,
    }),
    wanted: fc.array(wantedPerson, { minLength: 1, maxLength: 15 }),
    missing: fc.constantFrom('keep', 'disable', 'delete'),
    breakAt: fc.integer({ min: 1, max: 20 }),
  });

  it('is reached by plan and apply, also after runs that were aborted', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ breakAt, ...given }) => {
        const whole = await applyOnce(given, async ({ client, directory }) => {
          const plan = await client.planSync({ users: given.wanted }, planOptions(given.missing));
          expect(directory.writes).toEqual([]);
          const result = await client.applyPlan(plan, anything);
          expect(result).toMatchObject({ failed: [], drifted: [], left: 0 });
          // At most one write per action.
          expect(directory.writes).toHaveLength(plan.actions.length);
        });
        const broken = await applyOnce(given, async ({ client, directory }) => {
          let served = 0;
          directory.state.fault = ({ method }) => {
            if (method === 'GET') return undefined;
            served += 1;
            return served === breakAt ? 'break after' : served === breakAt + 1 ? 'break before' : undefined;
          };
          for (let run = 0; run < 3; run += 1) {
            const stop = new AbortController();
            const plan = await client.planSync({ users: given.wanted }, planOptions(given.missing));
            await client.applyPlan(plan, {
              ...anything,
              signal: stop.signal,
              onProgress: ({ done }) => run === 0 && done >= breakAt && stop.abort(),
            });
          }
          const creates = directory.writes
            .filter((write) => write.method === 'POST')
            .map((write) => write.body.email);
          expect(new Set(creates).size).toBe(creates.length);
        });
        expect(broken).toEqual(whole);
      }),
      { numRuns: sized(20, 200) },
    );
  });

  it('never removes more users than the limit, whatever the source contains', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.integer({ min: 0, max: 4 }), async (given, maxRemovals) => {
        const { directory, client, close } = await prepare(given.existing);
        try {
          const plan = await client.planSync({ users: given.wanted }, planOptions(given.missing));
          await client
            .applyPlan(plan, { allowRemovals: true, maxRemovals, maxRemovalPercent: 100 })
            .catch((error: unknown) => expect(error).toMatchObject({ code: 'removal_cap' }));
          const deletes = directory.writes.filter((write) => write.method === 'DELETE');
          expect(deletes.length).toBeLessThanOrEqual(maxRemovals);
        } finally {
          await close();
        }
      }),
      { numRuns: 40 },
    );
  });
});
