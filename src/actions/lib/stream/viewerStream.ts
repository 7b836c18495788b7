import type { ActionsConnection, ActionsRequest } from '@vitrine/server';
import type { ActionsContext } from '../actionsContext.ts';
import { withTimeout } from '../withTimeout.ts';
import type { PreparedPublication } from './preparePublication.ts';
import type { PublicationFeed } from './publicationFeed.ts';
import { formatHeartbeat } from './serverSentEvents.ts';

/** Options of {@link createViewerStream}. */
export interface ViewerStreamOptions {
  readonly request: ActionsRequest;
  readonly connection: ActionsConnection;
  readonly feed: PublicationFeed;
  /** Time limit of the host's `canView`, in milliseconds. */
  readonly timeoutMs: number;
}

/** Creates the stream of one browser. It has no queue: a slow reader continues in the feed. */
export const createViewerStream = (
  { onDiagnostic }: ActionsContext,
  { request, connection, feed, timeoutMs }: ViewerStreamOptions,
) => {
  const state = { hasStarted: false, isBusy: true, hasEnded: false };
  /** Pending while the connection is full. */
  let drained: PromiseWithResolvers<void> | undefined;

  const onDrain = (): void => {
    drained?.resolve();
    drained = undefined;
  };
  connection.onDrain(onDrain);
  connection.onClose(() => {
    state.hasEnded = true;
    onDrain();
  });

  const write = (text: string): void => {
    if (!connection.write(text)) drained ??= Promise.withResolvers();
  };
  const end = (): void => {
    state.hasEnded = true;
    if (state.hasStarted) connection.end();
  };
  /** Whether `canView` still allows the report; the audience already includes the viewer. */
  const mayView = async ({ deliveryId, itemId }: PreparedPublication): Promise<boolean> => {
    try {
      return await withTimeout({ what: 'canView()', timeoutMs }, () => request.canView(itemId));
    } catch (error) {
      onDiagnostic({ kind: 'access-failed', deliveryId, error });
      return false;
    }
  };
  const send = async (after: number, receivedSinceMs: number): Promise<void> => {
    for (let position = after; position < feed.cursor && !state.hasEnded; ) {
      const until = feed.cursor;
      const page = await feed.read(position);
      for (const publication of page) {
        const { texts, receivedAtMs } = publication;
        const text = receivedAtMs >= receivedSinceMs ? texts.get(request.viewer.userId) : undefined;
        const isAllowed = text !== undefined && (await mayView(publication));
        if (state.hasEnded) return;
        if (isAllowed) write(text);
        await drained?.promise;
      }
      position = page.at(-1)?.cursor ?? until;
    }
    // Synchronous with the last check of the feed, so that the next publication finds the stream idle.
    state.isBusy = false;
  };
  const start = async (after: number, receivedSinceMs: number): Promise<void> => {
    state.hasStarted = true;
    try {
      await send(after, receivedSinceMs);
    } catch (error) {
      onDiagnostic({ kind: 'inbox-failed', error });
      end();
    }
  };

  return {
    get hasEnded() {
      return state.hasEnded;
    },
    /** Sends recent publications after a cursor that the viewer may see, at the browser's reading pace. */
    start,
    /** Continues after a cursor, unless it has not started or is still sending. */
    resume(after: number): void {
      if (state.isBusy) return;
      state.isBusy = true;
      void start(after, 0);
    },
    /** Sends a heartbeat; if nothing is waiting, it advances the browser's position. */
    heartbeat(): void {
      if (state.hasEnded || drained) return;
      write(formatHeartbeat(state.isBusy ? undefined : feed.cursor));
    },
    /** Ends the stream, if it has started. */
    end,
  };
};

/** One viewer's open stream. */
export type ViewerStream = ReturnType<typeof createViewerStream>;
