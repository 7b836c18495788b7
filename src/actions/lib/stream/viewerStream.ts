import type { ActionsConnection, ActionsRequest } from '@vitrine/server';
import { askWithin } from '../askWithin.ts';
import type { PreparedPublication } from './preparePublication.ts';
import { formatHeartbeat } from './serverSentEvents.ts';

/** One viewer's open stream. */
export interface ViewerStream {
  readonly userId: string;
  /** When the stream ends by itself, by the stream's own clock, so that the browser comes back and access is checked again. */
  readonly endsAtMs: number;
  readonly hasEnded: boolean;
  /** Cursor of the last publication that was taken. */
  readonly offered: number;
  /** Takes a publication; those the viewer is not meant to see are passed over. False when too much waits for the reader. */
  offer(publication: PreparedPublication): boolean;
  /** Resolves when everything that was offered has been sent, or the viewer has left. */
  sent(): Promise<void>;
  /** Sends a heartbeat; the cursor says how far everything has been offered, where that is known. */
  beat(cursor: number | undefined): void;
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

/** Characters that may wait for a slow reader; the rest stays in the inbox until it has read them. */
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
      const { cursor, audience, text } = publication;
      if (state.hasEnded || cursor <= offered) return true;
      const isOwn = audience.has(userId);
      if (isOwn && state.waitingChars > 0 && state.waitingChars + text.length > maxWaitingChars) return false;
      offered = cursor;
      if (!isOwn) return true;
      state.waitingChars += publication.text.length;
      waiting.push(publication);
      void send();
      return true;
    },
    get hasEnded() {
      return state.hasEnded;
    },
    get offered() {
      return offered;
    },
    sent: () =>
      new Promise((resolve) => {
        if (waiting.length === 0) resolve();
        else onSent = resolve;
      }),
    beat(cursor) {
      if (state.hasEnded || state.isFull) return;
      // A cursor beyond what waits would make a reconnect skip it.
      const isSafe = cursor !== undefined && waiting.length === 0 && cursor >= offered;
      write(formatHeartbeat(isSafe ? cursor : undefined));
    },
    end,
  };
};
