import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WebhookRequest } from '@vitrine/server';
import { checkOptions } from '@vitrine/server/internal';
import { askWithin } from '../askWithin.ts';
import type { NewDelivery } from '../inbox/actionInbox.ts';
import { listFiles, readDeliveries, writeDeliveries } from '../inbox/spill/deliveryFiles.ts';

/** Which rejected deliveries are kept, see `keepRejected` of the action webhook. */
export interface KeepRejectedOptions {
  /** Folder of the kept bodies; created, readable by its owner alone. */
  readonly folder: string;
  /** The newest so many are kept. Default: 100. */
  readonly last?: number;
  /** Larger bodies are not kept, in bytes. Default: 256 KiB. */
  readonly maxBytes?: number;
}

/** Anybody can be rejected, so few bodies are read at once, and the rest are not. */
const maxReading = 4;
/** The answer waits for the reading, and so do the bodies of others. */
const longestReadingMs = 5000;

/** Creates the keeper of rejected bodies, which may take so long to arrive. The token that came with one is never kept. */
export const createRejectedKeeper = (options: KeepRejectedOptions, bodyTimeoutMs: number) => {
  checkOptions('keepRejected', options, { folder: true, last: true, maxBytes: true });
  const { folder, last = 100, maxBytes = 262_144 } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let reading = 0;

  return async function keepRejected(request: WebhookRequest, receivedAtMs: number): Promise<void> {
    if (reading >= maxReading) return;
    reading += 1;
    try {
      const timeoutMs = Math.min(longestReadingMs, bodyTimeoutMs);
      const body = await askWithin({ what: 'The body', timeoutMs }, () => request.readBody(maxBytes));
      if (body.kind !== 'read') return;
      const { source } = request;
      const encoding = body.isRebuilt ? undefined : request.header('content-encoding');
      const delivery = { raw: body.bytes, receivedAtMs, source, encoding, isRebuilt: body.isRebuilt };
      await writeDeliveries(folder, [delivery], receivedAtMs);
      for (const old of (await listFiles(folder)).slice(0, -last))
        await rm(join(folder, old), { force: true });
    } catch {
      // The request is rejected either way, and that is reported.
    } finally {
      reading -= 1;
    }
  };
};

/** A rejected delivery and a way to forget it. */
export interface RejectedDelivery {
  readonly delivery: NewDelivery;
  readonly forget: () => Promise<void>;
}

/** Reads the kept deliveries of a folder, the oldest first. */
export const readRejected = async (folder: string): Promise<readonly RejectedDelivery[]> => {
  const found: RejectedDelivery[] = [];
  for (const name of await listFiles(folder)) {
    const path = join(folder, name);
    const [delivery] = (await readDeliveries(path)).deliveries;
    if (delivery) found.push({ delivery, forget: () => rm(path, { force: true }) });
  }
  return found;
};
