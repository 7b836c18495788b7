import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxDiagnostic, NewDelivery } from '../actionInbox.ts';
import { readDeliveries, syncFolder, writeDeliveries } from './deliveryFile.ts';

/** Begins the name of a spill file, so that names are in the order of time. The number of its deliveries follows. */
export const spillTime = (ms: number): string => String(Math.max(0, Math.trunc(ms))).padStart(15, '0');
const namePattern = /^\d{15}-(\d+)-.*\.spill$/;

/** Nothing where there is no such file or folder (any more). */
const unlessMissing = (error: unknown): readonly string[] => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
};

/** Creates the folder where deliveries wait while the inbox itself takes none; it is made at the first use. */
export const createSpillFolder = (folder: string, onDiagnostic: (diagnostic: InboxDiagnostic) => void) => {
  const namesIn = async (): Promise<readonly string[]> =>
    (await readdir(folder).catch(unlessMissing)).filter((name) => namePattern.test(name)).sort();

  return {
    /** Resolves when the deliveries are durable, in a file of their own. */
    async write(deliveries: readonly NewDelivery[]): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${spillTime(Date.now())}-${deliveries.length}-${randomUUID()}.spill`;
      await writeDeliveries(folder, name, deliveries);
    },
    /** Moves every file into the inbox, the oldest first. Rejects when `store` does; the name makes a repetition harmless. */
    async importSpilled(
      store: (deliveries: readonly NewDelivery[], name: string) => Promise<void>,
    ): Promise<void> {
      for (const name of await namesIn()) {
        const path = join(folder, name);
        try {
          const { deliveries, lost } = await readDeliveries(path);
          await store(deliveries, name);
          const keptAs = `${path}.damaged`;
          await (lost === 0 ? rm(path) : rename(path, keptAs));
          if (lost > 0) onDiagnostic({ kind: 'spill-damaged', keptAs, lost, imported: deliveries.length });
          await syncFolder(folder);
        } catch (error) {
          // Another process that shares the folder has imported it.
          unlessMissing(error);
        }
      }
    },
    /** How many deliveries wait. */
    count: async (): Promise<number> =>
      (await namesIn()).reduce((sum, name) => sum + Number(namePattern.exec(name)?.[1]), 0),
  };
};
