import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** The size of a sync. */
interface SyncSize {
  readonly existing: number;
  readonly wanted: number;
  /** Every n-th user differs from the one in the tenant. */
  readonly changeEvery: number;
}

/** The measured results. */
interface SyncMeasure {
  readonly done: Record<string, number>;
  readonly failed: number;
  readonly planPeakMegabytes: number;
  readonly peakMegabytes: number;
  readonly requests: number;
}

const start = (file: string, args: readonly string[]) =>
  spawn(
    process.execPath,
    ['--conditions=@vitrine/source', fileURLToPath(new URL(`support/${file}`, import.meta.url)), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );

/** Runs one sync, with the tenant in one process and the client in another. */
const measureSync = async (size: SyncSize): Promise<SyncMeasure> => {
  const tenant = start('directoryProcess.ts', [String(size.existing)]);
  try {
    const [firstLine] = await once(createInterface(tenant.stdout), 'line');
    const baseUrl = String(firstLine);
    const client = start('bigSyncProcess.ts', [baseUrl, JSON.stringify(size)]);
    let output = '';
    for await (const chunk of client.stdout) output += String(chunk);
    return JSON.parse(output);
  } finally {
    tenant.kill();
  }
};

const printPeak =
  'data:text/javascript,process.on("exit",()=>process.stderr.write(`peak ${process.resourceUsage().maxRSS}`))';

/** A CSV of users, and the response of Microsoft Graph. */
const fileOf = {
  'people.csv': (users: readonly (readonly [email: string, lastName: string])[]) =>
    `email,type,firstName,lastName,roles\n${users.map(([email, lastName]) => `${email},UserPass,Given name,${lastName},Readers\n`).join('')}`,
  'people.json': (users: readonly (readonly [email: string, lastName: string])[]) =>
    JSON.stringify({
      '@odata.context': 'https://graph.example/v1.0/$metadata#users',
      value: users.map(([email, lastName], number) => ({
        id: `6f9619ff-8b86-d011-b42d-${String(number).padStart(12, '0')}`,
        mail: email,
        userPrincipalName: email,
        givenName: 'Given name',
        surname: lastName,
        userType: 'Member',
        accountEnabled: true,
        businessPhones: ['+49 1234'],
        roles: ['Readers'],
      })),
    }),
};

/** Plans a file of users with the command; `line` is its last line of output. */
const measurePlanCommand = async ({ existing, wanted, changeEvery }: SyncSize, file: keyof typeof fileOf) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-plan-'));
  const tenant = start('directoryProcess.ts', [String(existing)]);
  try {
    const rows = Array.from({ length: wanted }, (_, number) => {
      const lastName = `${number % changeEvery === 0 ? 'Changed' : 'Family'} name ${number}`;
      return [`User-${number}@ACME.example`, lastName] as const;
    });
    writeFileSync(join(folder, file), fileOf[file](rows));
    const [firstLine] = await once(createInterface(tenant.stdout), 'line');
    const command = spawn(
      process.execPath,
      [
        '--conditions=@vitrine/source',
        '--import',
        printPeak,
        fileURLToPath(new URL('../../scripts/vitrine.ts', import.meta.url)),
        'sync',
        'plan',
        file,
        '--out',
        'plan.json',
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          INIT_CWD: folder,
          VITRINE_BASE_URL: String(firstLine),
          VITRINE_API_KEY: 'test-api-key-0123456789',
        },
      },
    );
    const [output, notes] = await Promise.all([text(command.stdout), text(command.stderr)]);
    const plan: unknown = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
    return {
      line: output.trimEnd().split('\n').at(-1),
      peakMegabytes: Math.round(Number(/peak (\d+)/.exec(notes)?.[1]) / 1024),
      plan,
    };
  } finally {
    tenant.kill();
    rmSync(folder, { recursive: true });
  }
};

/** The minimum number of requests: a page for every 200 users, the roles, the units, and one per change. */
const leastRequests = ({ existing }: SyncSize, changes: number): number =>
  Math.max(1, Math.ceil(existing / 200)) + 2 + changes;

it('creates a hundred thousand users in an empty tenant in bounded memory', async () => {
  const size = { existing: 0, wanted: 100_000, changeEvery: 1_000_000 };
  const measure = await measureSync(size);
  expect(measure).toMatchObject({ failed: 0, done: { create: 100_000 } });
  expect(measure.requests / leastRequests(size, 100_000)).toBeLessThan(1.01);
  expect(measure.planPeakMegabytes).toBeLessThan(300);
  expect(measure.peakMegabytes).toBeLessThan(600);
});

it('syncs a hundred thousand users, a tenth of them changed, in bounded memory', async () => {
  const size = { existing: 95_000, wanted: 100_000, changeEvery: 10 };
  const measure = await measureSync(size);
  expect(measure).toMatchObject({ failed: 0, done: { create: 5_000, update: 9_500 } });
  // Each changed user is read once more before the change.
  expect(measure.requests / leastRequests(size, 14_500)).toBeLessThan(1.7);
  expect(measure.planPeakMegabytes).toBeLessThan(300);
  expect(measure.peakMegabytes).toBeLessThan(600);
});

it.each([
  ['people.csv', { existing: 95_000, wanted: 100_000, changeEvery: 10 }, { create: 5000, update: 9500 }],
  ['people.csv', { existing: 0, wanted: 100_000, changeEvery: 10 }, { create: 100_000, update: 0 }],
  ['people.json', { existing: 95_000, wanted: 95_000, changeEvery: 10 }, { create: 0, update: 9500 }],
] as const)(
  'plans a hundred thousand users with the command in 300 MB: %s, %j',
  async (file, size, counts) => {
    const { line, peakMegabytes, plan } = await measurePlanCommand(size, file);
    process.stdout.write(`vitrine sync plan: ${line} Peak ${peakMegabytes} MB\n`);
    expect(plan).toMatchObject({ counts });
    expect(peakMegabytes).toBeLessThan(300);
  },
);
