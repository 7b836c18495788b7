import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxDiagnostic, NewDelivery } from '../actionInbox.ts';
import { decodeSpill, encodeSpill, spillTime } from './spillFormat.ts';

/** Stores deliveries for an inbox; resolves when they are durable there. The name makes a repetition harmless. */
export type ImportBatch = (deliveries: readonly NewDelivery[], spillFile: string) => Promise<void>;

/** Where deliveries wait while the inbox itself takes none. */
export interface SpillFolder {
  /** Resolves when the deliveries are durable, in a file of their own. */
  write(deliveries: readonly NewDelivery[]): Promise<void>;
  /** Moves every file into the inbox, the oldest first. Rejects when the inbox fails. */
  importSpilled(store: ImportBatch): Promise<void>;
}

const suffix = '.spill';

/** Makes a new or removed name in a folder durable. */
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Writes a file that is there in whole or not at all: written, synced, renamed. */
export const writeDurably = async (folder: string, name: string, text: string): Promise<void> => {
  const temporary = join(folder, `${name}.tmp`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

const namesIn = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(suffix)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
};

/** Creates the spill folder at an absolute path; it is made at the first use. */
export const createSpillFolder = (
  folder: string,
  onDiagnostic: (diagnostic: InboxDiagnostic) => void,
): SpillFolder => ({
  async write(deliveries) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${spillTime(Date.now())}-${randomUUID()}${suffix}`;
    await writeDurably(folder, name, encodeSpill(deliveries));
  },
  async importSpilled(store) {
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      try {
        const { deliveries, damagedLines } = decodeSpill(await readFile(path, 'utf8'));
        await store(deliveries, name);
        if (damagedLines === 0) await rm(path);
        else {
          const keptAs = `${path}.damaged`;
          await rename(path, keptAs);
          onDiagnostic({ kind: 'spill-damaged', keptAs, lost: damagedLines, imported: deliveries.length });
        }
        await syncFolder(folder);
      } catch (error) {
        // Another process that shares the folder has imported it.
        if (!isMissing(error)) throw error;
      }
    }
  },
});
