import type { PlacedAction } from './actionStream.ts';

/** Messages between tabs. */
export type TabMessage =
  | { readonly kind: 'action'; readonly placed: PlacedAction }
  /** Every action up to a position has been sent; also ends the answer to the question with the number `to`. */
  | { readonly kind: 'heartbeat'; readonly cursor: number; readonly to?: number }
  /** The backend counts from a lower position than before. */
  | { readonly kind: 'restart'; readonly cursor: number }
  /** A new follower asks for actions that it may have missed, under the number `from`. */
  | { readonly kind: 'since'; readonly cursor: number; readonly from: number };

/** A channel to the other tabs of one scope. */
export interface TabChannel {
  send(message: TabMessage): void;
  close(): void;
}

/** The browser features that sharing a stream between tabs needs. */
export interface Tabs {
  /**
   * Requests leadership. If no tab leads, resolves at once to a function that ends the leadership; otherwise to
   * `undefined`. With `wait`, resolves when the leader is gone, or to `undefined` when the signal fires.
   */
  lead(
    name: string,
    options: { readonly wait: boolean; readonly signal: AbortSignal },
  ): Promise<(() => void) | undefined>;
  join(name: string, onMessage: (message: TabMessage) => void): TabChannel;
}

/** The browser's tabs, if it has locks and channels (secure pages in current browsers). */
export const browserTabs = (): Tabs | undefined => {
  // Insecure pages have no locks, despite the type of `navigator`.
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
        send: (message) => channel.postMessage(message),
        close: () => channel.close(),
      };
    },
  };
};
