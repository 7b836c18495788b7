import type { PlacedAction } from './actionConnection.ts';

/** What tabs tell each other. */
export type TabMessage =
  | { readonly kind: 'action'; readonly placed: PlacedAction }
  /** Every action up to a position has been handed on; also the end of the answer to whoever asked with the number `to`. */
  | { readonly kind: 'beat'; readonly cursor: number; readonly to?: number }
  /** A new follower asks for what it may have missed while it changed over, with a number of its own. */
  | { readonly kind: 'since'; readonly cursor: number; readonly from: number };

/** A way to speak with the other tabs of one scope. */
export interface TabChannel {
  send(message: TabMessage): void;
  close(): void;
}

/** What sharing a stream between tabs needs of the browser. */
export interface Tabs {
  /**
   * Asks to lead. Resolves to a release at once when nobody leads, to `undefined` at once when somebody does; with
   * `wait` it resolves when the leader has gone, or to `undefined` when the signal fires.
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
      // Pages of this origin alone can write to the channel, and they run this code.
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
