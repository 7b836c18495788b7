import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { ActionInbox, NewDelivery } from '@vitrine/server/actions';
import { cursorOf } from '../support/log.ts';
import { openInbox } from '../support/openInbox.ts';

/** More than a sender has in flight, so that some of the delayed deliveries were certainly acknowledged. */
const heldBack = 100;

/** Acknowledges before it stores: the newest deliveries are only in memory. */
const ackFirst = (place: string): ActionInbox['append'] => {
  const inbox = openInbox(place);
  const opened = cursorOf(inbox);
  const waiting: NewDelivery[] = [];
  return async (delivery) => {
    await opened;
    waiting.push(delivery);
    const oldest = waiting.length > heldBack ? waiting.shift() : undefined;
    if (oldest) void inbox.append(oldest);
    return { id: '1' };
  };
};

/** Commits without a sync: survives a killed process, but not a power failure. */
const syncNormal = (file: string): ActionInbox['append'] => {
  const exec: (sql: string) => void = Reflect.get(DatabaseSync.prototype, 'exec');
  DatabaseSync.prototype.exec = function (sql) {
    Reflect.apply(exec, this, [sql.replace('synchronous = full', 'synchronous = normal')]);
  };
  const inbox = openInbox(file);
  return (delivery) => inbox.append(delivery);
};

/** Syncs again after a failed sync and trusts the second one, although the kernel has dropped the pages. */
const retryFailedSync = (file: string): ActionInbox['append'] => {
  const descriptor = openSync(file, 'a');
  process.once('exit', () => closeSync(descriptor));
  return async ({ raw }) => {
    writeSync(descriptor, raw);
    try {
      fdatasyncSync(descriptor);
    } catch {
      fdatasyncSync(descriptor);
    }
    return { id: '1' };
  };
};

type Append = (delivery: NewDelivery) => ReturnType<ActionInbox['append']>;
const makers: Readonly<Record<string, (file: string) => Append>> = {
  'ack-first': ackFirst,
  'sync-normal': syncNormal,
  'retry-failed-sync': retryFailedSync,
};

/** An inbox that can only append, and does it incorrectly, which the tests must distinguish from the real one. */
export const createBrokenInbox = (kind: string, file: string): ActionInbox | undefined => {
  const append = makers[kind]?.(file);
  if (append === undefined) return undefined;
  return { append, watch: () => () => undefined, close: async () => undefined } as unknown as ActionInbox;
};
