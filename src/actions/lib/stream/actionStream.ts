import { hash } from 'node:crypto';
import { pollParameter, waitedParameter } from '@vitrine/contract';
import type { ActionsConnection, ActionsRequest, Viewer } from '@vitrine/server';
import type { ActionsContext } from '../actionsContext.ts';
import type { StreamOptions } from '../actionsOptions.ts';
import { type PublicationFeed, startPublicationFeed } from './publicationFeed.ts';
import { formatEvent, formatHeartbeat, parseCursor, streamHeaders } from './serverSentEvents.ts';
import { createViewerStream, type ViewerStream } from './viewerStream.ts';

/** How long after its arrival an action is shown, unless the host says otherwise, in milliseconds. */
export const defaultMaxAgeMs = 300_000;
/** Most publications one returning browser may cause to be read. */
const maxReplay = 2048;

/** Names what a browser's tabs may share without saying who it is: the same person with the same roles. */
const scopeOf = ({ userId, roleNames = [] }: Viewer): string => {
  const identity = JSON.stringify(['vitrine actions', userId, [...roleNames].sort()]);
  return hash('sha256', identity, 'base64url').slice(0, 22);
};

const reject = (connection: ActionsConnection, status: 429 | 503): void => {
  connection.start(status, { 'retry-after': status === 429 ? '30' : '1', 'cache-control': 'no-store' });
  connection.end();
};

/**
 * Creates the stream of actions, `GET {endpoint}/actions` as server-sent events. An action goes to the viewers that
 * it was published for, whose `canView` still says yes, and to nobody else; a browser that was away gets what it missed by its
 * `Last-Event-ID`.
 */
export const createActionStream = (context: ActionsContext, options: StreamOptions) => {
  const { onDiagnostic, now, random } = context;
  const { heartbeatMs = 15_000, maxStreamMs = 300_000, maxStreamsPerViewer = 100 } = options;
  const { pollMs = 1000, timeoutMs = 10_000, maxAgeMs = defaultMaxAgeMs } = options;
  const streams = new Map<string, Set<ViewerStream>>();
  /** There while there are streams. */
  let feed: PublicationFeed | undefined;
  let isClosed = false;

  const stopFeed = (): void => {
    feed?.stop();
    feed = undefined;
  };
  const startFeed = (): PublicationFeed => {
    const started = startPublicationFeed(context, {
      pollMs,
      maxAgeMs,
      onPublication({ audience }, before) {
        for (const userId of audience) for (const stream of streams.get(userId) ?? []) stream.resume(before);
      },
    });
    // The next browser tries again.
    started.ready.catch(() => {
      if (feed === started) stopFeed();
    });
    return started;
  };
  const enter = (userId: string, stream: ViewerStream, connection: ActionsConnection): void => {
    const own = (streams.get(userId) ?? new Set()).add(stream);
    streams.set(userId, own);
    connection.onClose(() => {
      own.delete(stream);
      if (own.size === 0) streams.delete(userId);
      if (streams.size === 0) stopFeed();
    });
  };

  /** Where a browser goes on that may have been here before. */
  const readPosition = ({ header, query }: ActionsRequest, { cursor }: PublicationFeed) => {
    const seen = parseCursor(header('last-event-id') ?? query.get('after'));
    const isPoll = query.get(pollParameter) === '1';
    // Who listened in vain behind a proxy that buffers knows no position yet, and gets what came in the meantime.
    const waitedMs = seen === undefined && isPoll ? Number(query.get(waitedParameter)) : 0;
    const from = seen ?? (waitedMs > 0 ? 0 : cursor);
    // What is further back than a replay reaches is too old for anybody. An inbox that was replaced starts counting again.
    const after = Math.max(Math.min(from, cursor), cursor - maxReplay);
    return { isPoll, after, receivedSinceMs: waitedMs > 0 ? now() - waitedMs : 0 };
  };

  return {
    /** Open streams in this process. */
    get streamCount() {
      return [...streams.values()].reduce((sum, { size }) => sum + size, 0);
    },
    async open(request: ActionsRequest, connection: ActionsConnection): Promise<void> {
      const { viewer } = request;
      if (isClosed) return reject(connection, 503);
      if ((streams.get(viewer.userId)?.size ?? 0) >= maxStreamsPerViewer) return reject(connection, 429);
      feed ??= startFeed();
      const entered = feed;
      const stream = createViewerStream(context, { request, connection, feed: entered, timeoutMs });
      enter(viewer.userId, stream, connection);
      try {
        await entered.ready;
      } catch (error) {
        onDiagnostic({ kind: 'inbox-failed', error });
        return reject(connection, 503);
      }
      if (isClosed) return reject(connection, 503);
      if (stream.hasEnded) return;
      const { isPoll, after, receivedSinceMs } = readPosition(request, entered);
      // A tenth more or less, so that streams opened together do not return together.
      // Monotonic: a stream has to end and be let in again also when the clock is set back meanwhile.
      const endsAtMs = performance.now() + maxStreamMs * (0.9 + 0.2 * random());
      connection.start(200, streamHeaders);
      connection.write(formatEvent(after, 'hello', { heartbeatMs, scope: scopeOf(viewer) }));
      // At once, so that a browser that has not seen it knows that something between holds the stream back.
      connection.write(formatHeartbeat(undefined));
      const heartbeat = setInterval(() => {
        if (performance.now() < endsAtMs) stream.beat();
        else stream.end();
      }, heartbeatMs).unref();
      connection.onClose(() => clearInterval(heartbeat));
      await stream.start(after, receivedSinceMs);
      if (!isPoll) return;
      onDiagnostic({ kind: 'stream-buffered' });
      stream.beat();
      stream.end();
    },
    /** Ends every stream; the browsers return to another process. */
    close(): void {
      isClosed = true;
      for (const own of streams.values()) for (const stream of own) stream.end();
      stopFeed();
    },
  };
};
