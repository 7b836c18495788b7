import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApplyReport, createPortalClient } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../cli/support/runCommand.ts';
import { startDirectory } from './support/directory.ts';

const program = fileURLToPath(new URL('support/applyProcess.ts', import.meta.url));
const apiKey = 'test-api-key-0123456789';

const users = Array.from({ length: 60 }, (_, number) => ({
  type: 'UserPass',
  email: `user-${number}@acme.example`,
  firstName: 'First',
  lastName: number % 3 === 0 ? 'Changed' : 'Last',
  roles: ['Readers'],
  organizationUnits: [],
}));

/** Applies in another process; kills it when the tenant has seen `killAfter` writes. */
const applyElsewhere = async (options: {
  baseUrl: string;
  folder: string;
  writes: readonly unknown[];
  killAfter?: number;
}) => {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@vitrine/source',
      program,
      options.baseUrl,
      join(options.folder, 'plan.json'),
      join(options.folder, 'plan.journal'),
    ],
    { env: { ...process.env, TEST_API_KEY: apiKey }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exited = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  const { killAfter } = options;
  const watch = setInterval(() => {
    if (killAfter !== undefined && options.writes.length >= killAfter) child.kill('SIGKILL');
  }, 1);
  await exited;
  clearInterval(watch);
  return output === '' ? undefined : (JSON.parse(output) as ApplyReport);
};

describe('an apply that is killed', () => {
  it.each([2, 40])(
    'after %i writes goes on where it stopped, and nothing is done twice',
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

      const killed = await applyElsewhere({
        baseUrl: directory.baseUrl,
        folder,
        writes: directory.writes,
        killAfter,
      });
      expect(killed).toBeUndefined();
      expect(directory.writes.length).toBeLessThan(plan.actions.length);
      const resumed = await applyElsewhere({ baseUrl: directory.baseUrl, folder, writes: directory.writes });

      expect(resumed).toMatchObject({ failed: [], drifted: [], left: 0 });
      expect((await client.planSync({ users }, { missing: 'delete' })).actions).toEqual([]);
      const done = directory.writes.map(({ method, path, body }) => `${method} ${path} ${body?.email ?? ''}`);
      expect(new Set(done).size).toBe(done.length);
      expect(done).toHaveLength(plan.actions.length);
      expect(readFileSync(join(folder, 'plan.journal'), 'utf8')).not.toContain(apiKey);
    },
  );
});
