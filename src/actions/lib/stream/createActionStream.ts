import { hash } from 'node:crypto';
import { pollParameter, waitedParameter } from '@vitrine/contract';
import type { ActionsConnection, ActionsRequest, Viewer } from '@vitrine/server';
import type { ActionsContext } from '../actionsContext.ts';
import type { StreamOptions } from '../actionsOptions.ts';
import { type PublicationFeed, startPublicationFeed } from './publicationFeed.ts';
import { formatEvent, formatHeartbeat, parseCursor, streamHeaders } from './serverSentEvents.ts';
import { createViewerStream, type ViewerStream } from './viewerStream.ts';

/** Default maximum age of an action that is delivered, in milliseconds. */
export const defaultMaxAgeMs = 300_000;
/** Maximum number of publications that a returning browser may replay. */
const maxReplay = 2048;

/** Pseudonym of a person with certain roles, whose tabs may share a stream. */
const scopeOf = ({ userId, roleNames }: Viewer): string => {
  const identity = JSON.stringify(['vitrine actions', userId, roleNames && [...roleNames].sort()]);
  return hash('sha256', identity, 'base64url').slice(0, 22);
};

const reject = (connection: ActionsConnection, status: 429 | 503): void => {
  connection.start(status, { 'retry-after': status === 429 ? '30' : '1', 'cache-control': 'no-store' });
  connection.end();
};

/**
 * Creates the stream of actions, `GET {endpoint}/actions` as server-sent events. An action goes only to the viewers
 * that it was published for, if `canView` still allows it; a returning browser gets missed actions by its
 * `Last-Event-ID`.
 */
export const createActionStream = (context: ActionsContext, options: StreamOptions) => {
  const { onDiagnostic, now, random } = context;
  const { heartbeatMs = 15_000, maxStreamMs = 300_000, maxStreamsPerViewer = 100 } = options;
  const { pollMs = 1000, timeoutMs = 10_000, maxAgeMs = defaultMaxAgeMs } = options;
  const streams = new Map<string, Set<ViewerStream>>();
  /** Defined while there are streams. */
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
      onPublication({ texts }, before) {
        for (const userId of texts.keys())
          for (const stream of streams.get(userId) ?? []) stream.resume(before);
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

  /** The position from which a browser continues. */
  const readPosition = ({ header, query }: ActionsRequest, { cursor }: PublicationFeed) => {
    const seen = parseCursor(header('last-event-id') ?? query.get('after'));
    const isPoll = query.get(pollParameter) === '1';
    // A browser that listened behind a buffering proxy has no position yet, and gets the actions of that time.
    const waitedMs = seen === undefined && isPoll ? Number(query.get(waitedParameter)) : 0;
    const from = seen ?? (waitedMs > 0 ? 0 : cursor);
    // Actions beyond the replay limit are too old. A replaced inbox starts counting again.
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
      // Vary by a tenth, so that streams opened together do not reconnect together. Monotonic, so that a stream also
      // ends on time if the clock is set back.
      const endsAtMs = performance.now() + maxStreamMs * (0.9 + 0.2 * random());
      connection.start(200, streamHeaders);
      connection.write(formatEvent(after, 'hello', { heartbeatMs, scope: scopeOf(viewer) }));
      // Send it at once: a browser that does not receive it detects a buffering proxy.
      connection.write(formatHeartbeat(undefined));
      const heartbeat = setInterval(() => {
        if (performance.now() < endsAtMs) stream.heartbeat();
        else stream.end();
      }, heartbeatMs).unref();
      connection.onClose(() => clearInterval(heartbeat));
      await stream.start(after, receivedSinceMs);
      if (!isPoll) return;
      onDiagnostic({ kind: 'stream-buffered' });
      stream.heartbeat();
      stream.end();
    },
    /** Ends every stream; the browsers reconnect to another process. */
    close(): void {
      isClosed = true;
      for (const own of streams.values()) for (const stream of own) stream.end();
      stopFeed();
    },
  };
};
