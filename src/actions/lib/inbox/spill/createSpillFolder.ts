import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxDiagnostic, NewDelivery } from '../actionInbox.ts';
import { countIn, listFiles, readDeliveries, syncFolder, writeDeliveries } from './deliveryFiles.ts';

/** Returns an empty list if the file or folder is missing; rethrows other errors. */
const unlessMissing = (error: unknown): readonly string[] => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
};

/** Creates the spill folder, where deliveries wait while the inbox is unavailable. Created on disk on first use. */
export const createSpillFolder = (folder: string, onDiagnostic: (diagnostic: InboxDiagnostic) => void) => ({
  /** Resolves when the deliveries are durable in a new file. */
  write: (deliveries: readonly NewDelivery[]) => writeDeliveries(folder, deliveries, Date.now()),
  /** Moves every file into the inbox, oldest first. Rejects if `store` does; file names make repeats harmless. */
  async importSpilled(
    store: (deliveries: readonly NewDelivery[], name: string) => Promise<void>,
  ): Promise<void> {
    for (const name of await listFiles(folder).catch(unlessMissing)) {
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
  /** Number of waiting deliveries. */
  count: async (): Promise<number> =>
    (await listFiles(folder).catch(unlessMissing)).reduce((sum, name) => sum + countIn(name), 0),
});
