import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOptions, type OptionNames } from '@vitrine/server/internal';
import type { NewDelivery } from '../inbox/actionInbox.ts';
import { packDeliveries } from '../inbox/sqlite/messages.ts';
import { decodeSpill, encodeSpilled } from '../inbox/sqlite/spillFile.ts';
import type { ActionRequest } from './actionReceiver.ts';
import { readInTime } from './readInTime.ts';

/** Which refused deliveries are kept, see `keepRefused` of the action webhook. */
export interface KeepRefusedOptions {
  /** Folder of the kept bodies; created, readable by its owner alone. */
  readonly folder: string;
  /** The newest so many are kept. Default: 100. */
  readonly last?: number;
  /** Larger bodies are not kept, in bytes. Default: 256 KiB. */
  readonly maxBytes?: number;
}

const optionNames: OptionNames<KeepRefusedOptions> = { folder: true, last: true, maxBytes: true };

const suffix = '.refused';
/** Anybody can be refused, so few bodies are read at once, and the rest are not. */
const maxReading = 4;
/** The refusal waits for the reading, and so do the bodies of others. */
const longestReadingMs = 5000;

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith(suffix)).sort();

/** Creates the keeper of refused bodies, which may take so long to arrive. The token that came with one is never kept. */
export const createRefusedKeeper = (options: KeepRefusedOptions, bodyTimeoutMs: number) => {
  checkOptions('keepRefused', options, optionNames);
  const { folder, last = 100, maxBytes = 262_144 } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let reading = 0;

  return async function keepRefused(request: ActionRequest, receivedAtMs: number): Promise<void> {
    if (reading >= maxReading) return;
    reading += 1;
    try {
      const body = await readInTime(request.readBody(maxBytes), Math.min(longestReadingMs, bodyTimeoutMs));
      if (body.kind !== 'read') return;
      const { source } = request;
      const encoding = body.isRebuilt ? undefined : request.header('content-encoding');
      const delivery = { raw: body.bytes, receivedAtMs, source, encoding, isRebuilt: body.isRebuilt };
      const name = `${String(receivedAtMs).padStart(15, '0')}-${randomUUID()}${suffix}`;
      await writeFile(join(folder, name), encodeSpilled(packDeliveries([delivery]), 0), { mode: 0o600 });
      for (const old of (await namesIn(folder)).slice(0, -last)) await rm(join(folder, old), { force: true });
    } catch {
      // The request is refused either way, and the refusal itself is reported.
    } finally {
      reading -= 1;
    }
  };
};

/** A refused delivery and a way to forget it. */
export interface RefusedDelivery {
  readonly delivery: NewDelivery;
  readonly forget: () => Promise<void>;
}

/** Reads the kept deliveries of a folder, the oldest first. */
export const readRefused = async (folder: string): Promise<readonly RefusedDelivery[]> => {
  const found: RefusedDelivery[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const [spilled] = decodeSpill(await readFile(path)).deliveries;
    if (!spilled) continue;
    const { raw, receivedAtMs, notes } = spilled;
    found.push({ delivery: { raw, receivedAtMs, ...notes }, forget: () => rm(path, { force: true }) });
  }
  return found;
};
