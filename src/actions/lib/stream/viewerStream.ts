import type { ActionsConnection, ActionsRequest } from '@vitrine/server';
import { askWithin } from '../askWithin.ts';
import type { PreparedPublication } from './preparePublication.ts';
import { formatHeartbeat } from './serverSentEvents.ts';

/** One viewer's open stream. */
export interface ViewerStream {
  readonly userId: string;
  /** When the stream ends by itself, by the stream's own clock, so that the browser comes back and access is checked again. */
  readonly endsAtMs: number;
  /** Takes a publication; those the viewer is not meant to see are passed over. */
  offer(publication: PreparedPublication): void;
  /** Resolves when everything that was offered has been sent, or the viewer has left. */
  sent(): Promise<void>;
  /** Sends a heartbeat; the cursor says how far everything has been offered. */
  beat(cursor: number): void;
  end(): void;
}

/** Options of {@link createViewerStream}. */
export interface ViewerStreamOptions {
  readonly request: ActionsRequest;
  readonly connection: ActionsConnection;
  /** Publications up to this one were sent before. */
  readonly after: number;
  readonly endsAtMs: number;
  /** How long the host may take to say whether the viewer may still see a report, in milliseconds. */
  readonly timeoutMs: number;
  /** Called for an action that the viewer did not get because `canView` threw or did not finish. */
  readonly onAccessFailed: (deliveryId: string, error: unknown) => void;
}

/** Characters that may wait for a slow reader. Beyond it the stream ends and the browser's return replays them. */
const maxWaitingChars = 4 * 1024 * 1024;

/** Sends publications to one browser in order, at the pace it reads. */
export const createViewerStream = ({
  request,
  connection,
  after,
  endsAtMs,
  timeoutMs,
  onAccessFailed,
}: ViewerStreamOptions): ViewerStream => {
  const { userId } = request.viewer;
  const waiting: PreparedPublication[] = [];
  let offered = after;
  const state = { isSending: false, isFull: false, hasEnded: false, waitingChars: 0 };
  let onSent: (() => void) | undefined;

  const write = (text: string): void => {
    if (!connection.write(text)) state.isFull = true;
  };

  const mayView = async ({ deliveryId, itemId }: PreparedPublication): Promise<boolean> => {
    try {
      // The audience names the viewer; the report itself must still be open to them.
      return await askWithin(timeoutMs, 'canView()', () => request.canView(itemId));
    } catch (error) {
      onAccessFailed(deliveryId, error);
      return false;
    }
  };

  const send = async (): Promise<void> => {
    if (state.isSending) return;
    state.isSending = true;
    for (let next = waiting[0]; next && !state.isFull && !state.hasEnded; next = waiting[0]) {
      const isAllowed = await mayView(next);
      waiting.shift();
      state.waitingChars -= next.text.length;
      if (isAllowed && !state.hasEnded) write(next.text);
    }
    state.isSending = false;
    if (waiting.length === 0) onSent?.();
  };

  connection.onDrain(() => {
    state.isFull = false;
    void send();
  });
  connection.onClose(() => {
    state.hasEnded = true;
    waiting.length = 0;
    onSent?.();
  });

  const end = (): void => {
    state.hasEnded = true;
    connection.end();
  };

  return {
    userId,
    endsAtMs,
    offer(publication) {
      if (state.hasEnded || publication.cursor <= offered) return;
      offered = publication.cursor;
      if (!publication.audience.has(userId)) return;
      if (state.waitingChars > 0 && state.waitingChars + publication.text.length > maxWaitingChars)
        return end();
      state.waitingChars += publication.text.length;
      waiting.push(publication);
      void send();
    },
    sent: () =>
      new Promise((resolve) => {
        if (waiting.length === 0) resolve();
        else onSent = resolve;
      }),
    beat(cursor) {
      if (state.hasEnded || state.isFull) return;
      // A cursor beyond what waits would make a reconnect skip it.
      write(formatHeartbeat(waiting.length === 0 && cursor >= offered ? cursor : undefined));
    },
    end,
  };
};
