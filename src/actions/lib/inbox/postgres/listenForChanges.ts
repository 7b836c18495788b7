import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { InboxChange } from '../actionInbox.ts';
import type { InboxCompanion } from '../sqlInbox.ts';
import type { PostgresClient, PostgresPool } from './postgresPool.ts';

/** Options of {@link listenForChanges}. */
export interface ChangeListenerOptions {
  readonly pool: () => Promise<PostgresPool>;
  readonly channel: string;
  readonly onChange: (change: InboxChange) => void;
  readonly onError: (error: unknown) => void;
}

const reconnectMs = 1000;
/** Changes of so many milliseconds are announced at once: each announcement is a commit, and they take turns in all of Postgres. */
const announceEveryMs = 20;

/**
 * Keeps one connection on LISTEN, over which changes are announced too, and connects again when it breaks; what was missed
 * meanwhile is announced by guess. Whoever misses an announcement finds the change at their next poll.
 */
export const listenForChanges = (options: ChangeListenerOptions): Required<InboxCompanion> => {
  const { pool, channel, onChange, onError } = options;
  const own = randomUUID();
  const changed = new Set<string>();
  let isStopped = false;
  let client: PostgresClient | undefined;
  let disconnect: (() => void) | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let announcing: Promise<void> | undefined;

  const announceChanges = async (): Promise<void> => {
    while (changed.size > 0) {
      await wait(announceEveryMs);
      const payload = [own, ...changed].join(' ');
      changed.clear();
      await client?.query('select pg_notify($1, $2)', [channel, payload]).catch(onError);
    }
    announcing = undefined;
  };
  const take = (payload = ''): void => {
    const [sender, ...names] = payload.split(' ');
    for (const change of ['appended', 'published'] as const)
      if (sender !== own && names.includes(change)) onChange(change);
  };
  const connect = async (): Promise<void> => {
    let connection: PostgresClient | undefined;
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      client = undefined;
      connection?.release(true);
      if (!isStopped) reconnecting = setTimeout(() => void connect(), reconnectMs).unref();
    };
    try {
      connection = await (await pool()).connect();
      disconnect = end;
      connection.on('error', end);
      connection.on('end', end);
      connection.on('notification', ({ payload }) => take(payload));
      await connection.query(`set synchronous_commit = off; listen ${channel}`);
      client = connection;
      if (isStopped) return end();
      onChange('appended');
      onChange('published');
    } catch (error) {
      onError(error);
      end();
    }
  };
  void connect();

  return {
    announce(change) {
      changed.add(change);
      announcing ??= announceChanges();
    },
    async stop() {
      isStopped = true;
      clearTimeout(reconnecting);
      await announcing;
      disconnect?.();
    },
  };
};
