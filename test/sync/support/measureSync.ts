import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The size of a sync. */
export interface SyncSize {
  readonly existing: number;
  readonly wanted: number;
  /** Every n-th user differs from the one in the tenant. */
  readonly changeEvery: number;
}

/** The measured results. */
export interface SyncMeasure {
  readonly counts: Record<string, number>;
  readonly done: Record<string, number>;
  readonly failed: number;
  readonly planSeconds: number;
  readonly applySeconds: number;
  readonly idleMegabytes: number;
  readonly planPeakMegabytes: number;
  readonly peakMegabytes: number;
  readonly planRequests: number;
  readonly requests: number;
}

const start = (file: string, args: readonly string[]) =>
  spawn(
    process.execPath,
    ['--conditions=@vitrine/source', fileURLToPath(new URL(file, import.meta.url)), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );

/** Runs one sync, with the tenant in one process and the client in another. */
export const measureSync = async (size: SyncSize): Promise<SyncMeasure> => {
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
export const measurePlanCommand = async (
  { existing, wanted, changeEvery }: SyncSize,
  file: keyof typeof fileOf,
) => {
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
        fileURLToPath(new URL('../../../scripts/vitrine.ts', import.meta.url)),
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
export const leastRequests = ({ existing }: SyncSize, changes: number): number =>
  Math.max(1, Math.ceil(existing / 200)) + 2 + changes;
