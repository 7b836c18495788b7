import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
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

/** The minimum number of requests: a page for every 200 users, the roles, the units, and one per change. */
export const leastRequests = ({ existing }: SyncSize, changes: number): number =>
  Math.max(1, Math.ceil(existing / 200)) + 2 + changes;
