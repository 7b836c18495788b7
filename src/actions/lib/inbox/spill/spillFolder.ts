import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboxDiagnostic, NewDelivery } from '../actionInbox.ts';
import { countIn, listFiles, readDeliveries, syncFolder, writeDeliveries } from './deliveryFiles.ts';

/** Nothing where there is no such file or folder (any more). */
const unlessMissing = (error: unknown): readonly string[] => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
};

/** Creates the folder where deliveries wait while the inbox itself takes none; it is made at the first use. */
export const createSpillFolder = (folder: string, onDiagnostic: (diagnostic: InboxDiagnostic) => void) => ({
  /** Resolves when the deliveries are durable, in a file of their own. */
  write: (deliveries: readonly NewDelivery[]) => writeDeliveries(folder, deliveries, Date.now()),
  /** Moves every file into the inbox, the oldest first. Rejects when `store` does; the name makes a repetition harmless. */
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
  /** How many deliveries wait. */
  count: async (): Promise<number> =>
    (await listFiles(folder).catch(unlessMissing)).reduce((sum, name) => sum + countIn(name), 0),
});
