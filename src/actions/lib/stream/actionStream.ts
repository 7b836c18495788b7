import { hash } from 'node:crypto';
import { pollParameter, waitedParameter } from '@vitrine/contract';
import type { ActionsConnection, ActionsRequest, MountedActions, Viewer } from '@vitrine/server';
import type { OnDiagnostic } from '../diagnostics.ts';
import type { ActionInbox } from '../inbox/actionInbox.ts';
import { nobody, preparePublication } from './preparePublication.ts';
import { createPublicationFeed } from './publicationFeed.ts';
import { formatEvent, formatHeartbeat, parseCursor, streamHeaders } from './serverSentEvents.ts';
import { checkStreamOptions, type StreamOptions } from './streamOptions.ts';
import { createViewerStream, type ViewerStream } from './viewerStream.ts';

/** Options of {@link createActionStream}. */
export interface ActionStreamOptions extends StreamOptions {
  readonly inbox: ActionInbox;
  readonly onDiagnostic: OnDiagnostic;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** A random number in [0, 1). Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** Streams actions to viewers. */
export interface ActionStream<TViewer extends Viewer = Viewer> extends MountedActions<TViewer> {
  /** Open streams in this process. */
  readonly streamCount: number;
  /** Ends every stream; the browsers return to another process. */
  close(): void;
}

/** Most publications one returning browser may cause to be read. */
const maxReplay = 2048;
/** Heartbeats are spread over so many slices of the pause, so that thousands of streams are not written to at once. */
const slices = 10;

/** Names what a browser's tabs may share without saying who it is: the same person with the same roles. */
const scopeOf = ({ userId, roleNames = [] }: Viewer): string =>
  hash('sha256', JSON.stringify(['vitrine actions', userId, [...roleNames].sort()]), 'base64url').slice(
    0,
    22,
  );

const reject = (connection: ActionsConnection, status: 429 | 503): void => {
  connection.start(status, { 'retry-after': status === 429 ? '30' : '1', 'cache-control': 'no-store' });
  connection.end();
};

/**
 * Creates the stream of actions, `GET {endpoint}/actions` as server-sent events. An action goes to the viewers that
 * it was published for, whose `canView` still says yes, and to nobody else; a browser that was away gets what it missed by its
 * `Last-Event-ID`.
 */
export const createActionStream = (options: ActionStreamOptions): ActionStream => {
  const { inbox, onDiagnostic, now = Date.now, random = Math.random, ...streamOptions } = options;
  checkStreamOptions(streamOptions);
  const { heartbeatMs = 15_000, maxStreamMs = 300_000, maxAgeMs = 300_000, pollMs = 1000 } = options;
  const { maxStreamsPerViewer = 100, timeoutMs = 10_000 } = options;
  const streams = new Map<ViewerStream, number>();
  const byUser = new Map<string, Set<ViewerStream>>();
  let timers: NodeJS.Timeout[] = [];
  let slice = 0;
  let opened = 0;
  /** Connections of any age, also those that are still catching up. */
  let connections = 0;
  const connectionsOf = new Map<string, number>();
  let unwatch: (() => void) | undefined;
  let isClosed = false;
  let lastFailed: string | undefined;

  /** One action goes to many viewers, and its failure is reported once. */
  const onAccessFailed = (deliveryId: string, error: unknown): void => {
    if (deliveryId === lastFailed) return;
    lastFailed = deliveryId;
    onDiagnostic({ kind: 'access-failed', deliveryId, error });
  };

  const feed = createPublicationFeed({
    inbox,
    onDiagnostic,
    prepare: (publication) => preparePublication(publication, now() - maxAgeMs),
    onPublication(publication) {
      for (const userId of publication.audience)
        for (const stream of byUser.get(userId) ?? [])
          if (!stream.offer(publication)) {
            leave(stream);
            void follow(stream);
          }
    },
  });

  const beat = (): void => {
    slice = (slice + 1) % slices;
    for (const [stream, number] of streams) {
      if (number % slices !== slice) continue;
      if (performance.now() >= stream.endsAtMs) stream.end();
      else stream.beat(byUser.get(stream.userId)?.has(stream) ? feed.cursor : undefined);
    }
  };

  const suspend = (): void => {
    timers.forEach(clearInterval);
    timers = [];
    unwatch?.();
    unwatch = undefined;
    feed.suspend();
  };

  const activate = (): void => {
    if (timers.length > 0) return;
    timers = [setInterval(beat, heartbeatMs / slices), setInterval(() => void feed.pump(), pollMs)];
    for (const timer of timers) timer.unref();
    unwatch = inbox.watch((change) => {
      if (change === 'published') void feed.pump();
    });
  };

  const enter = (userId: string, connection: ActionsConnection): void => {
    connections += 1;
    connectionsOf.set(userId, (connectionsOf.get(userId) ?? 0) + 1);
    connection.onClose(() => {
      connections -= 1;
      if (connections === 0) suspend();
      const others = (connectionsOf.get(userId) ?? 0) - 1;
      if (others > 0) connectionsOf.set(userId, others);
      else connectionsOf.delete(userId);
    });
  };

  /** From here on the stream gets what is published. */
  const join = (stream: ViewerStream): void => {
    byUser.set(stream.userId, (byUser.get(stream.userId) ?? new Set()).add(stream));
  };
  const leave = (stream: ViewerStream): void => {
    const own = byUser.get(stream.userId);
    if (own?.delete(stream) && own.size === 0) byUser.delete(stream.userId);
  };

  /** Offers what was published after a cursor, at most so many from the inbox, at the pace of the reader. */
  const catchUp = async (
    stream: ViewerStream,
    cursor: number,
    { limit, receivedSinceMs = 0 }: { readonly limit: number; readonly receivedSinceMs?: number },
  ): Promise<void> => {
    // What is published during a replay is the next round's replay.
    for (let after = cursor; after < feed.cursor && !stream.hasEnded; ) {
      const until = feed.cursor;
      for await (const publication of feed.replay(after, limit)) {
        const isMeant = publication.receivedAtMs >= receivedSinceMs;
        const offered = isMeant ? publication : { ...publication, audience: nobody };
        while (!stream.offer(offered)) await stream.sent();
      }
      after = until;
    }
  };

  /** Gives a stream whose reader is slow what it has missed, then what is published. */
  const follow = async (stream: ViewerStream): Promise<void> => {
    try {
      await stream.sent();
      await catchUp(stream, stream.offered, { limit: Number.POSITIVE_INFINITY });
      // The last look and the joining are one step.
      if (!stream.hasEnded) join(stream);
    } catch (error) {
      onDiagnostic({ kind: 'inbox-failed', error });
      stream.end();
    }
  };

  const openStream = async (request: ActionsRequest, connection: ActionsConnection): Promise<void> => {
    const visit = { hasLeft: false };
    connection.onClose(() => (visit.hasLeft = true));
    activate();
    await feed.resume();
    if (visit.hasLeft) return;
    const seen = parseCursor(request.header('last-event-id') ?? request.query.get('after'));
    const isPoll = request.query.get(pollParameter) === '1';
    // Who listened in vain behind a proxy that buffers knows no position yet, and gets what came in the meantime.
    const waitedMs = seen === undefined && isPoll ? Number(request.query.get(waitedParameter)) : 0;
    const hasWaited = waitedMs > 0;
    const from = seen ?? (hasWaited ? 0 : feed.cursor);
    // What is further back than a replay reaches is too old for anybody; the newest are what counts.
    const after = Math.max(Math.min(from, feed.cursor), feed.cursor - maxReplay);
    // A tenth more or less, so that streams opened together do not return together.
    // Monotonic: a stream has to end and be let in again also when the clock is set back meanwhile.
    const endsAtMs = performance.now() + maxStreamMs * (0.9 + 0.2 * random());
    const stream = createViewerStream({ request, connection, after, endsAtMs, timeoutMs, onAccessFailed });
    connection.start(200, streamHeaders);
    connection.write(formatEvent(after, 'hello', { heartbeatMs, scope: scopeOf(request.viewer) }));
    // At once, so that a browser that has not seen it knows that something between holds the stream back.
    connection.write(formatHeartbeat(undefined));
    await catchUp(stream, after, {
      limit: maxReplay,
      receivedSinceMs: hasWaited ? now() - waitedMs : 0,
    });
    if (isPoll) {
      await stream.sent();
      stream.beat(stream.offered);
      stream.end();
    } else if (isClosed) stream.end();
    else if (!visit.hasLeft) {
      streams.set(stream, (opened += 1));
      connection.onClose(() => {
        streams.delete(stream);
        leave(stream);
      });
      join(stream);
    }
  };

  return {
    get streamCount() {
      return streams.size;
    },
    async open(request, connection) {
      if (isClosed) return reject(connection, 503);
      const { userId } = request.viewer;
      if ((connectionsOf.get(userId) ?? 0) >= maxStreamsPerViewer) return reject(connection, 429);
      enter(userId, connection);
      let hasStarted = false;
      const start: ActionsConnection['start'] = (status, headers) => {
        hasStarted = true;
        connection.start(status, headers);
      };
      try {
        await openStream(request, { ...connection, start });
      } catch (error) {
        onDiagnostic({ kind: 'inbox-failed', error });
        if (hasStarted) connection.end();
        else reject(connection, 503);
      }
    },
    close() {
      isClosed = true;
      for (const stream of streams.keys()) stream.end();
      suspend();
    },
  };
};
