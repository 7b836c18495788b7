import type { PlacedAction } from './actionStream.ts';

/** What tabs send to each other. */
export type TabMessage =
  | { readonly kind: 'action'; readonly placed: PlacedAction }
  /** Every action up to a position has been sent on; also the end of the answer to whoever asked with the number `to`. */
  | { readonly kind: 'heartbeat'; readonly cursor: number; readonly to?: number }
  /** The backend counts from a lower position than before. */
  | { readonly kind: 'restart'; readonly cursor: number }
  /** A new follower asks for what it may have missed while it changed over, with a number of its own. */
  | { readonly kind: 'since'; readonly cursor: number; readonly from: number };

/** A channel to the other tabs of one scope. */
export interface TabChannel {
  send(message: TabMessage): void;
  close(): void;
}

/** What sharing a stream between tabs needs of the browser. */
export interface Tabs {
  /**
   * Asks to lead. Resolves at once to a function that ends the leadership when nobody leads, and to `undefined` when somebody
   * does; with `wait` it resolves when the leader has gone, or to `undefined` when the signal fires.
   */
  lead(
    name: string,
    options: { readonly wait: boolean; readonly signal: AbortSignal },
  ): Promise<(() => void) | undefined>;
  join(name: string, onMessage: (message: TabMessage) => void): TabChannel;
}

/** The browser's tabs, where it has locks and channels (secure pages of today's browsers). */
export const browserTabs = (): Tabs | undefined => {
  // Pages that are not secure have no locks, whatever the type of `navigator` promises.
  const locks = typeof navigator === 'undefined' ? undefined : (navigator.locks as LockManager | undefined);
  if (!locks || typeof BroadcastChannel === 'undefined') return undefined;
  return {
    lead: (name, { wait, signal }) =>
      new Promise((resolve) => {
        locks
          .request(name, wait ? { signal } : { ifAvailable: true }, (lock) => {
            if (!lock || signal.aborted) return resolve(undefined);
            return new Promise<void>((release) => resolve(() => release()));
          })
          .catch(() => resolve(undefined));
      }),
    join(name, onMessage) {
      const channel = new BroadcastChannel(name);
      // Only pages of this origin can write to the channel, and they run this code.
      channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => onMessage(data));
      return {
        // A channel reaches its own origin alone and takes no target.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        send: (message) => channel.postMessage(message),
        close: () => channel.close(),
      };
    },
  };
};
