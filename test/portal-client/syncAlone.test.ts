import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { User } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/portal-client/lib/sync/apply.ts';
import { planSync } from '../../src/portal-client/lib/sync/plan.ts';
import type { SyncPort } from '../../src/portal-client/lib/sync/tenant.ts';

async function* listOf<TRow>(rows: Iterable<TRow>) {
  yield* rows;
}

const userNamed = (id: string, email: string): User => ({
  id,
  email,
  type: 'UserPass',
  firstName: 'Given',
  lastName: 'Family',
  roles: ['Viewer'],
  organizationUnits: [],
});

/** A portal in memory: no request, no client. */
const memoryPort = () => {
  const users = new Map([['1', userNamed('1', 'gone@acme.example')]]);
  const port: SyncPort = {
    reader: {
      baseUrl: 'memory:',
      now: () => 0,
      users: () => listOf(users.values()),
      roles: () => listOf([{ id: '1', name: 'Viewer', type: 'Report', code: null, description: '' }]),
      organizationUnits: () => listOf([]),
      items: () => listOf([]),
    },
    openWriter: () => ({
      createRole: () => Promise.resolve(),
      createUnit: () => Promise.resolve('ou-1'),
      createItem: () => Promise.resolve(),
      getUser: (id) => Promise.resolve(users.get(String(id))),
      createUser: (input) => {
        const user = { ...userNamed('2', input.email), ...input };
        users.set('2', user);
        return Promise.resolve(user);
      },
      updateUser: () => Promise.resolve(undefined),
      deleteUser: (id) => Promise.resolve(void users.delete(String(id))),
    }),
  };
  return { port, users };
};

describe('sync', () => {
  it('plans and applies with any directory implementation, without a client or HTTP', async () => {
    const { port, users } = memoryPort();
    const wanted = {
      email: 'new@acme.example',
      type: 'UserPass',
      firstName: 'New',
      lastName: 'One',
      roles: ['Viewer'],
    };
    const plan = await planSync(port.reader, { users: [wanted] }, { missing: 'delete' });
    const result = await applyPlan(port, plan, { allowRemovals: true, maxRemovalPercent: 100 });
    expect(result).toMatchObject({ done: { create: 1, delete: 1 }, failed: [], left: 0 });
    expect([...users.values()].map(({ email }) => email)).toEqual(['new@acme.example']);
  });

  it('imports neither the client nor its transport', () => {
    const folder = 'src/portal-client/lib';
    const outside = globSync(`${folder}/sync/**/*.ts`).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)]
        .map(([, path = '']) => normalize(join(dirname(file), path)).slice(folder.length + 1))
        .filter((path) => !path.startsWith('sync/')),
    );
    const allowed = /^(?:errors|rows|units|json|paging)\.ts$/;
    expect(outside.length).toBeGreaterThan(10);
    expect(outside.filter((path) => !allowed.test(path))).toEqual([]);
  });
});
