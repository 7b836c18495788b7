import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApplyResult, createPortalClient } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../commands/support/runCommand.ts';
import { startProgram } from '../support/startProgram.ts';
import { startDirectory } from './support/directory.ts';

const program = new URL('support/applyProcess.ts', import.meta.url);
const apiKey = 'test-api-key-0123456789';

const users = Array.from({ length: 60 }, (_, number) => ({
  type: 'UserPass',
  email: `user-${number}@acme.example`,
  firstName: 'First',
  lastName: number % 3 === 0 ? 'Changed' : 'Last',
  roles: ['Readers'],
  organizationUnits: [],
}));

type Directory = Awaited<ReturnType<typeof startDirectory>>;

/** Applies in another process; after `killAfter` writes, the next one kills it. */
const applyElsewhere = async (directory: Directory, folder: string, killAfter = Number.POSITIVE_INFINITY) => {
  const { line, end, exited } = startProgram(program, [directory.baseUrl, join(folder, 'plan.json')], {
    env: { TEST_API_KEY: apiKey },
  });
  directory.state.fault = ({ method }) => {
    if (method === 'GET' || directory.writes.length < killAfter) return undefined;
    void end();
    return 'break before';
  };
  const [code] = await exited;
  directory.state.fault = undefined;
  return code === 0 ? (JSON.parse(await line()) as ApplyResult) : undefined;
};

describe('an apply that is killed', () => {
  it.each([2, 40])(
    'after %i writes is continued by planning again, and repeats nothing',
    async (killAfter) => {
      const directory = await startDirectory();
      onTestFinished(directory.close);
      for (let number = 0; number < 80; number += 2) directory.add({ email: `user-${number}@acme.example` });
      const client = createPortalClient({ baseUrl: directory.baseUrl, apiKey });
      onTestFinished(() => client.close());
      const folder = temporaryFolder();
      const plan = await client.planSync({ users }, { missing: 'delete' });
      expect(plan.counts).toMatchObject({ create: 30, update: 30, delete: 10 });
      writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));

      const killed = await applyElsewhere(directory, folder, killAfter);
      expect(killed).toBeUndefined();
      expect(directory.writes).toHaveLength(killAfter);
      const rest = await client.planSync({ users }, { missing: 'delete' });
      expect(rest.actions).toHaveLength(plan.actions.length - killAfter);
      writeFileSync(join(folder, 'plan.json'), JSON.stringify(rest));
      const resumed = await applyElsewhere(directory, folder);

      expect(resumed).toMatchObject({ failed: [], drifted: [], left: 0 });
      expect((await client.planSync({ users }, { missing: 'delete' })).actions).toEqual([]);
      const done = directory.writes.map(({ method, path, body }) => `${method} ${path} ${body?.email ?? ''}`);
      expect(new Set(done).size).toBe(done.length);
      expect(done).toHaveLength(plan.actions.length);
    },
  );
});
