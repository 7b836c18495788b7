import type { ActionsConnection, ActionsRequest } from '@vitrine/server';
import { askWithin } from './askWithin.ts';
import type { PreparedPublication } from './preparePublication.ts';
import { formatEvent, formatHeartbeat } from './serverSentEvents.ts';

/** One viewer's open stream. */
export interface ViewerStream {
  readonly userId: string;
  /** When the stream ends by itself, by the stream's own clock, so that the browser comes back and access is checked again. */
  readonly endsAtMs: number;
  /** Takes a publication; those the viewer is not meant to see are passed over. */
  offer(publication: PreparedPublication): void;
  /** Sends proof of life; the cursor says how far everything has been offered. */
  beat(cursor: number): void;
  /** Ends once everything that was offered has been sent. */
  endWhenSent(): void;
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
  /** Hears of an action that the viewer did not get because the host did not say, or threw. */
  readonly onUnknown: (deliveryId: string, error: unknown) => void;
}

/** Publications that may wait for a slow reader. Beyond it the stream ends and the browser's return replays them. */
const maxWaiting = 256;

/** Sends publications to one browser in order, at the pace it reads. */
export const createViewerStream = ({
  request,
  connection,
  after,
  endsAtMs,
  timeoutMs,
  onUnknown,
}: ViewerStreamOptions): ViewerStream => {
  const { userId } = request.viewer;
  const waiting: PreparedPublication[] = [];
  let offered = after;
  const state = { isSending: false, isFull: false, isLast: false, hasEnded: false };

  const write = (text: string): void => {
    if (!connection.write(text)) state.isFull = true;
  };

  const isMeantFor = async ({ audience, itemId, action }: PreparedPublication): Promise<boolean> => {
    if (!audience.has(userId)) return false;
    if (itemId === undefined) return true;
    try {
      // The audience names the viewer; the report itself must still be open to them.
      return await askWithin(timeoutMs, 'whether the report is open to them', () => request.canView(itemId));
    } catch (error) {
      if (action) onUnknown(action.id, error);
      return false;
    }
  };

  const send = async (): Promise<void> => {
    if (state.isSending) return;
    state.isSending = true;
    for (let next = waiting[0]; next && !state.isFull && !state.hasEnded; next = waiting[0]) {
      const isMeant = await isMeantFor(next);
      waiting.shift();
      if (isMeant && !state.hasEnded) write(formatEvent(next.cursor, 'action', next.action));
    }
    state.isSending = false;
    endAfterLast();
  };

  const endAfterLast = (): void => {
    if (!state.isLast || waiting.length > 0 || state.hasEnded) return;
    // The position reached, for a reader who was sent nothing on the way there.
    write(formatHeartbeat(offered));
    end();
  };

  connection.onDrain(() => {
    state.isFull = false;
    void send();
  });
  connection.onClose(() => {
    state.hasEnded = true;
    waiting.length = 0;
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
      if (waiting.length >= maxWaiting) return end();
      waiting.push(publication);
      void send();
    },
    beat(cursor) {
      if (state.hasEnded || state.isFull) return;
      // A cursor beyond what waits would make a reconnect skip it.
      write(formatHeartbeat(waiting.length === 0 && cursor >= offered ? cursor : undefined));
    },
    endWhenSent() {
      state.isLast = true;
      if (!state.isSending) endAfterLast();
    },
    end,
  };
};
