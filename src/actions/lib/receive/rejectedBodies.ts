import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { WebhookRequest } from '@vitrine/server';
import { checkOptions } from '@vitrine/server/internal';
import type { NewDelivery } from '../inbox/actionInbox.ts';
import { listFiles, readDeliveries, writeDeliveries } from '../inbox/spill/deliveryFiles.ts';
import { withTimeout } from '../withTimeout.ts';

/** Which rejected deliveries to keep; see `keepRejected` of the action webhook. */
export interface KeepRejectedOptions {
  /** Folder of the kept bodies; created if missing, readable only by its owner. */
  readonly folder: string;
  /** Number of newest deliveries to keep. Default: 100. */
  readonly last?: number;
  /** Maximum size of a kept body, in bytes. Default: 256 KiB. */
  readonly maxBytes?: number;
}

/** Maximum number of bodies read at once, because anyone can send rejected deliveries; the rest are not kept. */
const maxReading = 4;
/** Time limit of reading a body: the response waits for it, and so do other bodies. */
const longestReadingMs = 5000;

/** Creates the store of rejected bodies, with a time limit for their arrival. The rejected token is never kept. */
export const createRejectedStore = (options: KeepRejectedOptions, bodyTimeoutMs: number) => {
  checkOptions('keepRejected', options, { folder: true, last: true, maxBytes: true });
  const { folder, last = 100, maxBytes = 262_144 } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let reading = 0;

  return async function keepRejected(request: WebhookRequest, receivedAtMs: number): Promise<void> {
    if (reading >= maxReading) return;
    reading += 1;
    try {
      const timeoutMs = Math.min(longestReadingMs, bodyTimeoutMs);
      const body = await withTimeout({ what: 'The body', timeoutMs }, () => request.readBody(maxBytes));
      if (body.kind !== 'read') return;
      const { source } = request;
      const encoding = body.isReserialized ? undefined : request.header('content-encoding');
      const delivery = {
        raw: body.bytes,
        receivedAtMs,
        source,
        encoding,
        isReserialized: body.isReserialized,
      };
      await writeDeliveries(folder, [delivery], receivedAtMs);
      for (const old of (await listFiles(folder)).slice(0, -last))
        await rm(join(folder, old), { force: true });
    } catch {
      // The request is rejected and reported either way.
    } finally {
      reading -= 1;
    }
  };
};

/** A rejected delivery, and a function that removes it. */
export interface RejectedDelivery {
  readonly delivery: NewDelivery;
  readonly forget: () => Promise<void>;
}

/** Reads the kept deliveries of a folder, oldest first. */
export const readRejected = async (folder: string): Promise<readonly RejectedDelivery[]> => {
  const found: RejectedDelivery[] = [];
  for (const name of await listFiles(folder)) {
    const path = join(folder, name);
    const [delivery] = (await readDeliveries(path)).deliveries;
    if (delivery) found.push({ delivery, forget: () => rm(path, { force: true }) });
  }
  return found;
};
