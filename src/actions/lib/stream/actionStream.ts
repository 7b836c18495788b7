import { hash } from 'node:crypto';
import type { ActionsConnection, ActionsRequest, ActionsRoute, Viewer } from '@vitrine/server';
import { createSteadyTime } from '@vitrine/server/internal';
import { safeReport } from '../news.ts';
import { type ActionStreamOptions, checkActionStreamOptions } from './actionStreamOptions.ts';
import { type ItemIdOf, preparePublication } from './preparePublication.ts';
import { createPublicationFeed } from './publicationFeed.ts';
import { formatEvent, parseCursor, streamHeaders } from './serverSentEvents.ts';
import { createViewerStream, type ViewerStream } from './viewerStream.ts';

/** Streams actions to viewers: hand it to the mount as `actions`. */
export interface ActionStream<TViewer extends Viewer = Viewer> extends ActionsRoute<TViewer> {
  /** Open streams in this process. */
  readonly streamCount: number;
  /** Ends every stream; the browsers return to another process. */
  close(): void;
}

/** Most publications one returning browser may cause to be read. */
const maxReplay = 2048;
/** Beats are spread over so many slices of the pause, so that thousands of streams are not written to at once. */
const slices = 10;

const digitsOnly: ItemIdOf = (reportId) => (/^[1-9]\d{0,15}$/.test(reportId) ? Number(reportId) : undefined);

/** Names what a browser's tabs may share without saying who it is: the same person with the same roles. */
const scopeOf = ({ userId, roleNames = [] }: Viewer): string =>
  hash('sha256', JSON.stringify(['vitrine actions', userId, [...roleNames].sort()]), 'base64url').slice(
    0,
    22,
  );

const turnAway = (connection: ActionsConnection, status: 429 | 503): void => {
  connection.start(status, { 'retry-after': status === 429 ? '30' : '1', 'cache-control': 'no-store' });
  connection.end();
};

/**
 * Creates the stream of actions, `GET {endpoint}/actions` as server-sent events. An action goes to the viewers that
 * `audience` names and to nobody else; a browser that was away gets what it missed by its `Last-Event-ID`.
 *
 * @throws VitrineOptionsError `missing_options`, `unknown_option`, `invalid_action_option`, `invalid_logger`, `missing_audience`, `missing_inbox`.
 */
export const createActionStream = (options: ActionStreamOptions): ActionStream => {
  checkActionStreamOptions(options);
  const { inbox, audience, itemIdOf = digitsOnly, now = Date.now, random = Math.random } = options;
  const { heartbeatMs = 15_000, maxStreamMs = 300_000, maxAgeMs = 300_000, pollMs = 1000 } = options;
  const { maxStreamsPerViewer = 100, timeoutMs = 10_000 } = options;
  const report = safeReport(options.report, options.logger);
  // A stream has to end and be let in again also when the clock is set back meanwhile.
  const steadyNow = createSteadyTime(now, () => undefined);
  const streams = new Map<ViewerStream, number>();
  const byUser = new Map<string, Set<ViewerStream>>();
  let timers: NodeJS.Timeout[] = [];
  let slice = 0;
  let opened = 0;
  /** Connections of any age, also those that are still catching up. */
  let guests = 0;
  const guestsOf = new Map<string, number>();
  let unwatch: (() => void) | undefined;
  let isClosed = false;
  let lastUnknown: string | undefined;

  /** One action goes to many viewers, and the host is told of it once. */
  const onUnknown = (deliveryId: string, error: unknown): void => {
    if (deliveryId === lastUnknown) return;
    lastUnknown = deliveryId;
    report({ kind: 'access-failed', deliveryId, error });
  };

  const feed = createPublicationFeed({
    inbox,
    report,
    prepare: (publication) =>
      preparePublication(publication, {
        audience,
        itemIdOf,
        timeoutMs,
        report,
        receivedSinceMs: now() - maxAgeMs,
      }),
    onPublication(publication) {
      for (const userId of publication.audience)
        for (const stream of byUser.get(userId) ?? []) stream.offer(publication);
    },
  });

  const beat = (): void => {
    slice = (slice + 1) % slices;
    for (const [stream, number] of streams) {
      if (number % slices !== slice) continue;
      if (steadyNow() >= stream.endsAtMs) stream.end();
      else stream.beat(feed.cursor);
    }
  };

  const rest = (): void => {
    timers.forEach(clearInterval);
    timers = [];
    unwatch?.();
    unwatch = undefined;
    feed.sleep();
  };

  const rise = (): void => {
    if (timers.length > 0) return;
    timers = [setInterval(beat, heartbeatMs / slices), setInterval(() => void feed.pump(), pollMs)];
    for (const timer of timers) timer.unref();
    unwatch = inbox.watch((change) => {
      if (change === 'published') void feed.pump();
    });
  };

  const enter = (userId: string, connection: ActionsConnection): void => {
    guests += 1;
    guestsOf.set(userId, (guestsOf.get(userId) ?? 0) + 1);
    connection.onClose(() => {
      guests -= 1;
      if (guests === 0) rest();
      const others = (guestsOf.get(userId) ?? 0) - 1;
      if (others > 0) guestsOf.set(userId, others);
      else guestsOf.delete(userId);
    });
  };

  /** From here on the stream gets what is published. */
  const join = (stream: ViewerStream, connection: ActionsConnection): void => {
    streams.set(stream, (opened += 1));
    const own = byUser.get(stream.userId) ?? new Set();
    byUser.set(stream.userId, own.add(stream));
    connection.onClose(() => {
      streams.delete(stream);
      own.delete(stream);
      if (own.size === 0 && byUser.get(stream.userId) === own) byUser.delete(stream.userId);
    });
  };

  const welcome = async (request: ActionsRequest, connection: ActionsConnection): Promise<void> => {
    const visit = { hasLeft: false };
    connection.onClose(() => (visit.hasLeft = true));
    rise();
    await feed.wake();
    if (visit.hasLeft) return;
    const seen = parseCursor(request.header('last-event-id') ?? request.query.get('after'));
    // What is further back than a replay reaches is too old for anybody; the newest are what counts.
    let after = Math.max(Math.min(seen ?? feed.cursor, feed.cursor), feed.cursor - maxReplay);
    // A tenth more or less, so that streams opened together do not return together.
    const endsAtMs = steadyNow() + maxStreamMs * (0.9 + 0.2 * random());
    const stream = createViewerStream({ request, connection, after, endsAtMs, timeoutMs, onUnknown });
    connection.start(200, streamHeaders);
    connection.write(formatEvent(after, 'hello', { heartbeatMs, scope: scopeOf(request.viewer) }));
    // What is published during a replay is the next round's replay; the last look and the joining are one step.
    while (after < feed.cursor && !visit.hasLeft) {
      const until = feed.cursor;
      for await (const publication of feed.replay(after, maxReplay)) stream.offer(publication);
      after = until;
    }
    // A proxy that collects what is sent hands it on when the answer ends.
    if (request.query.get('poll')) stream.endWhenSent();
    else if (isClosed) stream.end();
    else if (!visit.hasLeft) join(stream, connection);
  };

  return {
    get streamCount() {
      return streams.size;
    },
    async open(request, connection) {
      if (isClosed) return turnAway(connection, 503);
      const { userId } = request.viewer;
      if ((guestsOf.get(userId) ?? 0) >= maxStreamsPerViewer) return turnAway(connection, 429);
      enter(userId, connection);
      let hasStarted = false;
      const start: ActionsConnection['start'] = (status, headers) => {
        hasStarted = true;
        connection.start(status, headers);
      };
      try {
        await welcome(request, { ...connection, start });
      } catch (error) {
        report({ kind: 'inbox-failed', error });
        if (hasStarted) connection.end();
        else turnAway(connection, 503);
      }
    },
    close() {
      isClosed = true;
      for (const stream of streams.keys()) stream.end();
      rest();
    },
  };
};
