import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createBatcher } from '../../createBatcher.ts';
import type { InboxChange } from '../actionInbox.ts';
import type { InboxCompanion } from '../createSqlInbox.ts';
import type { PostgresDriver } from './postgresDriver.ts';
import { type PostgresClient, withClient } from './postgresPool.ts';

/** Options of {@link listenForChanges}. */
export interface ChangeListenerOptions {
  readonly driver: PostgresDriver;
  readonly channel: string;
  readonly onChange: (change: InboxChange) => void;
  readonly onError: (error: unknown) => void;
}

const reconnectMs = 1000;
/** Changes within this interval are announced together: each announcement is a commit, and Postgres serializes them. */
const announceEveryMs = 20;

/**
 * Announces changes, and keeps one connection on LISTEN, which reconnects when it breaks; afterward it assumes that
 * changes were missed. A process that misses an announcement finds the change at its next poll.
 */
export const listenForChanges = (options: ChangeListenerOptions): Required<InboxCompanion> => {
  const { driver, channel, onChange, onError } = options;
  const own = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;

  const announcements = createBatcher<InboxChange, void>(async (changes) => {
    const payload = [own, ...new Set(changes)].join(' ');
    await driver.query('select pg_notify($1, $2)', [channel, payload]).catch(onError);
    await wait(announceEveryMs);
    return [];
  });
  /** Resolves to false behind a pooler, where LISTEN would stay on a connection that others use. */
  const listen = async (connection: PostgresClient): Promise<boolean> => {
    const { rows } = await connection.query('select pg_backend_pid() as pid');
    if (rows[0]?.['pid'] !== connection.processID) return false;
    const notifications = on(connection, 'notification', { signal, close: ['end'] });
    await connection.query(`listen ${channel}`);
    onChange('appended');
    onChange('published');
    for await (const [{ payload }] of notifications) {
      const [sender, ...names] = String(payload).split(' ');
      for (const change of ['appended', 'published'] as const)
        if (sender !== own && names.includes(change)) onChange(change);
    }
    throw new Error('The connection that listens for changes of the action inbox has ended.');
  };
  const keepListening = async (): Promise<void> => {
    let mayListen = true;
    while (mayListen && !signal.aborted)
      try {
        mayListen = await withClient(await driver.pool(), signal, listen);
      } catch (error) {
        if (!signal.aborted) onError(error);
        await wait(reconnectMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
  };
  void keepListening();

  return {
    announce: (change) => void announcements.add(change),
    async stop() {
      await announcements.idle();
      stopping.abort();
    },
  };
};
