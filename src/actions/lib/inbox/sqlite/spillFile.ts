import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../sha256.ts';
import { type DeliveryNotes, type PackedDeliveries, packedBody, type StoreNews } from './messages.ts';

/** One delivery read back from a spill file. */
export interface SpilledDelivery {
  /** Makes taking it over twice harmless. */
  readonly key: string;
  readonly raw: Uint8Array;
  readonly receivedAtMs: number;
  readonly notes: DeliveryNotes | null;
}

const suffix = '.spill';
const headBytes = 4 + 4 + 32;

/** Length of the facts, length of the body, SHA-256 of both; then both. A torn tail fails its digest. */
export const encodeSpilled = (packed: PackedDeliveries, index: number): Uint8Array => {
  const facts = Buffer.from(
    JSON.stringify({
      key: randomUUID(),
      receivedAtMs: packed.receivedAtMs[index],
      notes: packed.notes[index] ?? null,
    }),
  );
  const body = Buffer.concat([facts, packedBody(packed, index)]);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(facts.length, 0);
  head.writeUInt32LE(body.length - facts.length, 4);
  sha256(body).copy(head, 8);
  return Buffer.concat([head, body]);
};

/** What could be read of a spill file. */
export interface SpillReading {
  readonly deliveries: readonly SpilledDelivery[];
  /** In how many places records are damaged, each of one or more. A torn one at the end was never acknowledged. */
  readonly damagedPlaces: number;
}

/** Where the record that starts here ends, and its facts; nothing where there is no whole one. */
const boundsAt = (bytes: Buffer, at: number) => {
  const factsStart = at + headBytes;
  if (factsStart > bytes.length) return undefined;
  const factsEnd = factsStart + bytes.readUInt32LE(at);
  const end = factsEnd + bytes.readUInt32LE(at + 4);
  return end > bytes.length ? undefined : { factsStart, factsEnd, end };
};

const isRecordAt = (bytes: Buffer, at: number): boolean => {
  const bounds = boundsAt(bytes, at);
  if (!bounds) return false;
  const { factsStart, end } = bounds;
  return sha256(bytes.subarray(factsStart, end)).equals(bytes.subarray(at + 8, factsStart));
};

/** The next record behind a damaged one, whose lengths may be what was damaged: every one begins with its key. */
const nextRecord = (bytes: Buffer, after: number): number | undefined => {
  for (let from = after + 1; ; ) {
    const facts = bytes.indexOf('{"key":"', from + headBytes);
    if (facts === -1) return undefined;
    if (isRecordAt(bytes, facts - headBytes)) return facts - headBytes;
    from = facts - headBytes + 1;
  }
};

/** Reads the whole records of a spill file; one that was damaged on the disk hides none of those after it. */
export const decodeSpill = (bytes: Buffer): SpillReading => {
  const deliveries: SpilledDelivery[] = [];
  let damagedPlaces = 0;
  for (let at: number | undefined = 0; at !== undefined && at < bytes.length; ) {
    const bounds = boundsAt(bytes, at);
    if (bounds && isRecordAt(bytes, at)) {
      const { factsStart, factsEnd, end } = bounds;
      // The digest has just proved that these are the facts `encodeSpilled` wrote.
      const facts = JSON.parse(bytes.toString('utf8', factsStart, factsEnd)) as Omit<SpilledDelivery, 'raw'>;
      deliveries.push({ ...facts, raw: new Uint8Array(bytes.subarray(factsEnd, end)) });
      at = end;
    } else {
      at = nextRecord(bytes, at);
      if (bounds || at !== undefined) damagedPlaces += 1;
    }
  }
  return { deliveries, damagedPlaces };
};

/** The second place for deliveries, used while the database cannot take them. */
export interface SpillFile {
  /** Writes and syncs; throws when that fails, and then nothing counts as saved. */
  save(packed: PackedDeliveries): void;
  /** Reads the spill files of the folder one by one, also those of ended processes. */
  takeOver(): Iterable<TakenFile>;
  close(): void;
}

/** What one spill file holds. */
export interface TakenFile {
  readonly deliveries: readonly SpilledDelivery[];
  /** Removes it, or keeps it under another name for a person when it was damaged, and then says so. */
  readonly done: () => StoreNews | undefined;
}

/** A full file is followed by another: they are read whole, and an outage may last for days. */
const fullFileBytes = 16 * 1024 * 1024;

const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** False when somebody else took it first. */
const rename = (from: string, to: string): boolean => {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
};

const isStillNamed = (file: { readonly path: string; readonly descriptor: number }): boolean => {
  const named = statSync(file.path, { throwIfNoEntry: false });
  return named !== undefined && named.ino === fstatSync(file.descriptor).ino;
};

/**
 * Several processes may share the folder without a lock. Whoever takes a file over renames it *before* reading; whoever
 * writes looks *after* its sync whether the file still has its name, and otherwise writes again into a new one. So a
 * delivery is read at least once, and its key makes a second time harmless.
 */
export const createSpillFile = (folder: string): SpillFile => {
  let open: { readonly path: string; readonly descriptor: number } | undefined;

  const release = (): void => {
    if (open) closeSync(open.descriptor);
    open = undefined;
  };
  const current = () => {
    if (open) return open;
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${randomUUID()}${suffix}`);
    open = { path, descriptor: openSync(path, 'ax') };
    syncFolder(folder);
    return open;
  };
  return {
    save(packed) {
      const bytes = Buffer.concat(Array.from(packed.ends, (_, index) => encodeSpilled(packed, index)));
      for (;;) {
        const file = current();
        try {
          for (let at = 0; at < bytes.length; ) at += writeSync(file.descriptor, bytes, at);
          fdatasyncSync(file.descriptor);
        } catch (error) {
          // A torn record would hide every later one, so the next batch starts a new file.
          release();
          throw error;
        }
        const isSaved = isStillNamed(file);
        if (!isSaved || fstatSync(file.descriptor).size >= fullFileBytes) release();
        if (isSaved) return;
      }
    },
    *takeOver() {
      const names = readdirOrNone(folder).filter((name) => name.includes(suffix));
      release();
      for (const name of names) {
        const path = join(folder, `${randomUUID()}${suffix}.taken`);
        if (!rename(join(folder, name), path)) continue;
        const { deliveries, damagedPlaces } = decodeSpill(readFileSync(path));
        const done = (): StoreNews | undefined => {
          if (damagedPlaces === 0) {
            rmSync(path, { force: true });
            return undefined;
          }
          const keptAs = join(folder, `${randomUUID()}.damaged`);
          rename(path, keptAs);
          return { kind: 'spill-damaged', keptAs, damagedPlaces, imported: deliveries.length };
        };
        yield { deliveries, done };
      }
    },
    close: release,
  };
};

const readdirOrNone = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
