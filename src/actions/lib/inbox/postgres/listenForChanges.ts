import { randomUUID } from 'node:crypto';
import { on } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { createBatcher } from '../../createBatcher.ts';
import type { InboxChange } from '../actionInbox.ts';
import type { InboxCompanion } from '../createSqlInbox.ts';
import { type PostgresClient, type PostgresPool, withClient } from './postgresPool.ts';

/** Options of {@link listenForChanges}. */
export interface ChangeListenerOptions {
  readonly pool: () => Promise<PostgresPool>;
  readonly channel: string;
  readonly onChange: (change: InboxChange) => void;
  readonly onError: (error: unknown) => void;
}

const reconnectMs = 1000;
/** Changes within this interval are announced together: each announcement is a commit, and Postgres serializes them. */
const announceEveryMs = 20;

/**
 * Keeps one connection on LISTEN, which also announces changes, and reconnects when it breaks; afterward it assumes
 * that changes were missed. A process that misses an announcement finds the change at its next poll.
 */
export const listenForChanges = (options: ChangeListenerOptions): Required<InboxCompanion> => {
  const { pool, channel, onChange, onError } = options;
  const own = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  let client: PostgresClient | undefined;

  const announcements = createBatcher<InboxChange, void>(async (changes) => {
    const payload = [own, ...new Set(changes)].join(' ');
    await client?.query('select pg_notify($1, $2)', [channel, payload]).catch(onError);
    await wait(announceEveryMs);
    return [];
  });
  const listen = async (connection: PostgresClient): Promise<never> => {
    const notifications = on(connection, 'notification', { signal, close: ['end'] });
    await connection.query(`set synchronous_commit = off; listen ${channel}`);
    client = connection;
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
    while (!signal.aborted)
      try {
        await withClient(await pool(), listen);
      } catch (error) {
        client = undefined;
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
