import { renameSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { sha256 } from '../../sha256.ts';
import type { StoredDelivery } from '../actionInbox.ts';
import type { Salvage } from './salvage.ts';

/** Moves a damaged inbox and its log out of the way, so that a fresh one can take over. Gives the new name. */
export const quarantine = (file: string): string => {
  const moved = `${file}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  for (const part of ['', '-wal', '-shm'])
    if (statSync(`${file}${part}`, { throwIfNoEntry: false }))
      renameSync(`${file}${part}`, `${moved}${part}`);
  return moved;
};

const wholeOr = (value: unknown, other: number): number =>
  Number.isSafeInteger(value) ? Number(value) : other;
const lostNotes =
  'The inbox file was damaged, and it is unknown which effects of this action have happened. Look before you replay it.';

/**
 * Puts what was salvaged into a fresh inbox, due at once, under its own IDs; gives how many deliveries, and how many of them
 * were parked. Only a body has a digest: anything else may be damaged, and an ID may come twice. New IDs begin at the
 * present moment, above all that the damaged file gave: they are idempotency keys, which nothing new may meet again.
 */
export const restore = (
  into: DatabaseSync,
  { deliveries, effects, hasAllEffects }: Salvage,
): { readonly salvaged: number; readonly parked: number } => {
  const nowMs = Date.now();
  const insert = into.prepare(
    `insert into deliveries (id, received_at, source, encoding, is_rebuilt, raw, digest, state, at, attempts, last_error)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const owners = new Map<string, StoredDelivery>();
  let salvaged = 0;
  let parked = 0;
  into.exec('begin immediate');
  // First those that keep their ID, so that a second one of the same is numbered anew.
  into
    .prepare(
      "insert into sqlite_sequence (name, seq) select 'deliveries', ? where not exists (select 1 from sqlite_sequence where name = 'deliveries')",
    )
    .run(nowMs);
  for (const delivery of deliveries) {
    const { id, raw, receivedAtMs, source, encoding, isRebuilt, state, lastError } = delivery;
    const owner = owners.get(id);
    if (owner && Buffer.compare(owner.raw, raw) === 0) continue;
    const ownId = wholeOr(Number(id), 0);
    const keepsId = !owner && ownId > 0;
    if (keepsId) owners.set(id, delivery);
    const attempts = wholeOr(delivery.attempts, 1);
    const isOpen = state !== 'parked' && state !== 'dead';
    const isUncertain = isOpen && attempts > 0 && !hasAllEffects;
    insert.run(
      keepsId ? ownId : null,
      wholeOr(receivedAtMs, nowMs),
      source ?? null,
      encoding ?? null,
      isRebuilt ? 1 : 0,
      raw,
      sha256(raw),
      isUncertain ? 'parked' : isOpen ? 'pending' : state,
      nowMs,
      attempts,
      isUncertain ? lostNotes : (lastError ?? null),
    );
    salvaged += 1;
    if (isUncertain) parked += 1;
  }
  const note = into.prepare(
    `insert into effects (delivery_id, key, value) select $id, $key, $value where exists (select 1 from deliveries where id = $id)
     on conflict do nothing`,
  );
  for (const { delivery_id: id, key, value } of effects)
    if (typeof key === 'string' && typeof value === 'string') note.run({ id: wholeOr(id, 0), key, value });
  into.prepare("update sqlite_sequence set seq = max(seq, ?) where name = 'deliveries'").run(nowMs);
  into.exec('commit');
  return { salvaged, parked };
};
