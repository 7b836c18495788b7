import type { InboxChange } from '../actionInbox.ts';
import type { PostgresClient, PostgresPool } from './postgresPool.ts';

/** Options of {@link listenForChanges}. */
export interface ChangeListenerOptions {
  readonly pool: () => Promise<PostgresPool>;
  readonly channel: string;
  /** Payloads of this process, which knows its own changes already, end in this. */
  readonly own: string;
  readonly onChange: (change: InboxChange) => void;
  readonly onError: (error: unknown) => void;
}

const reconnectMs = 1000;

/** Keeps one connection on LISTEN, and connects again when it breaks; what was missed meanwhile is announced by guess. */
export const listenForChanges = ({
  pool,
  channel,
  own,
  onChange,
  onError,
}: ChangeListenerOptions): (() => void) => {
  let isStopped = false;
  let disconnect: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  const retry = (): void => {
    disconnect = undefined;
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(() => void connect(), reconnectMs);
    timer.unref();
  };
  const take = (payload = ''): void => {
    const [change, from] = payload.split(' ');
    if (from !== own && (change === 'appended' || change === 'published')) onChange(change);
  };
  /** Gives the connection back once, whatever ended it. */
  const endOf = (client: PostgresClient) => {
    let hasEnded = false;
    return (): void => {
      if (hasEnded) return;
      hasEnded = true;
      client.release(true);
      retry();
    };
  };
  const connect = async (): Promise<void> => {
    let end = retry;
    try {
      const client = await (await pool()).connect();
      end = endOf(client);
      client.on('error', end);
      client.on('end', end);
      client.on('notification', ({ payload }) => take(payload));
      await client.query(`listen ${channel}`);
      if (isStopped) return end();
      disconnect = end;
      onChange('appended');
      onChange('published');
    } catch (error) {
      onError(error);
      end();
    }
  };
  void connect();

  return () => {
    isStopped = true;
    clearTimeout(timer);
    disconnect?.();
  };
};
