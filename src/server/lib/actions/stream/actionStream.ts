import { hash } from 'node:crypto';
import type { Viewer } from '../../access/viewer.ts';
import type { ActionsConnection, ActionsRequest, ActionsRoute } from '../../http/actionsRoute.ts';
import { createSteadyTime } from '../../keys/createSteadyTime.ts';
import type { Logger } from '../../log/logger.ts';
import {
  checkNumbers,
  checkOptions,
  longestTimerMs,
  type NumberRanges,
  type OptionNames,
} from '../../options/checkOption.ts';
import { VitrineOptionsError } from '../../options/optionsError.ts';
import type { ActionInbox } from '../inbox/actionInbox.ts';
import { type ReportNews, safeReport } from '../news.ts';
import { type Audience, type ItemIdOf, preparePublication } from './preparePublication.ts';
import { createPublicationFeed } from './publicationFeed.ts';
import { formatEvent, parseCursor, streamHeaders } from './serverSentEvents.ts';
import { createViewerStream, type ViewerStream } from './viewerStream.ts';

/** Options of {@link createActionStream}. */
export interface ActionStreamOptions {
  /** The inbox of the action webhook. */
  readonly inbox: ActionInbox;
  /**
   * Who gets an action: user IDs as `viewer` gives them. Required, and what it does not name is sent to nobody.
   * `event.currentUser` is the portal's own number of the person who clicked; only the host can say who that is.
   */
  readonly audience: Audience;
  /**
   * Finds an item's number by the GUID of the webhook, see `createItemIdResolver`. With a number the viewer's `canView`
   * is asked once more before each action. Default: an ID made of digits is the number, any other is unknown.
   */
  readonly itemIdOf?: ItemIdOf;
  /**
   * Time that `audience` and `itemIdOf` have for one action together, in milliseconds; then nobody gets it, and those
   * behind it have their turn. Default: 10 seconds.
   */
  readonly timeoutMs?: number;
  /** Pause between proofs of life, in milliseconds. Default: 15 seconds. */
  readonly heartbeatMs?: number;
  /** A stream ends after about this long and the browser returns, so that access is checked again. Default: 5 minutes. */
  readonly maxStreamMs?: number;
  /**
   * Streams that one viewer may have open in this process; one more is answered 429 and tried again later. A browser needs
   * one, however many tabs it has. Default: 100.
   */
  readonly maxStreamsPerViewer?: number;
  /** Actions older than this are no longer shown to anybody, in milliseconds. Default: 5 minutes. */
  readonly maxAgeMs?: number;
  /** How often to look for actions that no one announced, such as another process's on one SQLite file. Default: 1 second. */
  readonly pollMs?: number;
  /** Where news for an operator go. Default: warnings and errors on the console. */
  readonly logger?: Logger;
  /** Gets the same news as data, instead of `logger`. */
  readonly report?: ReportNews;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A random number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}

/** Streams actions to viewers: hand it to the mount as `actions`. */
export interface ActionStream<TViewer extends Viewer = Viewer> extends ActionsRoute<TViewer> {
  /** Open streams in this process. */
  readonly streamCount: number;
  /** Ends every stream; the browsers return to another process. */
  close(): void;
}

const optionNames: OptionNames<ActionStreamOptions> = {
  inbox: true,
  audience: true,
  itemIdOf: true,
  timeoutMs: true,
  heartbeatMs: true,
  maxStreamMs: true,
  maxStreamsPerViewer: true,
  maxAgeMs: true,
  pollMs: true,
  logger: true,
  report: true,
  now: true,
  random: true,
};

const ranges: NumberRanges<ActionStreamOptions> = {
  timeoutMs: [1, longestTimerMs],
  heartbeatMs: [1, longestTimerMs],
  maxStreamMs: [1, Number.MAX_SAFE_INTEGER],
  maxStreamsPerViewer: [1, 1_000_000],
  maxAgeMs: [1, Number.MAX_SAFE_INTEGER],
  pollMs: [1, longestTimerMs],
};

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
 * @throws VitrineOptionsError `missing_options`, `unknown_option`, `invalid_action_option`, `missing_audience`, `missing_inbox`.
 */
export const createActionStream = (options: ActionStreamOptions): ActionStream => {
  checkOptions('The action stream', options, optionNames);
  checkNumbers('the action stream', options, ranges);
  const { inbox, audience, itemIdOf = digitsOnly, now = Date.now, random = Math.random } = options;
  const { heartbeatMs = 15_000, maxStreamMs = 300_000, maxAgeMs = 300_000, pollMs = 1000 } = options;
  const { maxStreamsPerViewer = 100, timeoutMs = 10_000 } = options;
  if (typeof inbox?.publications !== 'function')
    throw new VitrineOptionsError(
      'missing_inbox',
      'The action stream has no inbox to read from. Give it the `inbox` of the action webhook.',
    );
  if (typeof audience !== 'function')
    throw new VitrineOptionsError(
      'missing_audience',
      'The action stream does not know who may see an action. Set `audience: (event) => [userId, …]`.',
    );
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
    let after = Math.min(seen ?? feed.cursor, feed.cursor);
    // A tenth more or less, so that streams opened together do not return together.
    const endsAtMs = steadyNow() + maxStreamMs * (0.9 + 0.2 * random());
    const stream = createViewerStream({ request, connection, after, endsAtMs });
    connection.start(200, streamHeaders);
    connection.write(formatEvent(after, 'hello', { heartbeatMs, scope: scopeOf(request.viewer) }));
    // What is published during a replay is the next round's replay; the last look and the joining are one step.
    while (after < feed.cursor && !visit.hasLeft) {
      const until = feed.cursor;
      for await (const publication of feed.replay(after, maxReplay)) stream.offer(publication);
      after = until;
    }
    if (isClosed) stream.end();
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
