import type { InboxChange } from '../actionInbox.ts';
import type { PostgresPool } from './postgresPool.ts';

/** Options of {@link createChangeListener}. */
export interface ChangeListenerOptions {
  readonly pool: PostgresPool;
  readonly channel: string;
  readonly onChange: (change: InboxChange) => void;
}

/** Hears of changes that any process made. */
export interface ChangeListener {
  stop(): void;
}

const reconnectMs = 1000;

/** Keeps one connection on LISTEN, and comes back when it breaks; what was missed meanwhile is announced by guess. */
export const createChangeListener = ({ pool, channel, onChange }: ChangeListenerOptions): ChangeListener => {
  const state = { isStopped: false };
  let leaveCurrent: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  const retry = (): void => {
    leaveCurrent = undefined;
    if (state.isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), reconnectMs);
    timer.unref();
  };

  const connect = async (): Promise<void> => {
    let leave = retry;
    try {
      const client = await pool.connect();
      let isGone = false;
      leave = (): void => {
        if (isGone) return;
        isGone = true;
        client.release(true);
        retry();
      };
      client.on('error', leave);
      client.on('end', leave);
      client.on('notification', ({ payload }) => {
        if (payload === 'appended' || payload === 'published') onChange(payload);
      });
      await client.query(`listen ${channel}`);
      if (state.isStopped) return leave();
      leaveCurrent = leave;
      onChange('appended');
      onChange('published');
    } catch {
      leave();
    }
  };
  void connect();

  return {
    stop() {
      state.isStopped = true;
      clearTimeout(timer);
      leaveCurrent?.();
    },
  };
};
