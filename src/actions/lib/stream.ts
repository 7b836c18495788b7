import { hash } from 'node:crypto';
import type { ReportAction } from '@vitrine/contract';
import type { ActionsConnection, ActionsRequest, Viewer } from '@vitrine/server';
import { type ActionsContext, runOnChange } from './context.ts';
import { sentence } from './diagnostics.ts';
import type { Publication } from './inbox.ts';
import { parseAction } from './parse.ts';
import { timing } from './timing.ts';
import { withTimeout } from './withTimeout.ts';

/** Maximum number of publications that a returning browser may replay. */
const maxReplay = 2048;
const pageSize = 128;
/** Maximum number of publications that a stalled reader keeps in memory. */
const maxHeldPublications = 16;
/** Maximum characters of recent publications kept for open streams. */
const maxRecentChars = 16 * 1024 * 1024;
/** Size of a publication without an audience. */
const overheadChars = 200;

/**
 * Headers of a stream, for proxies: `no-transform` prevents buffering by compression, `x-accel-buffering` turns off the
 * buffer of nginx and compatible proxies.
 */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

/** Formats an event: its position, its name and plain JSON, which has no line breaks. */
const formatEvent = (cursor: number, name: string, data: unknown): string =>
  `id: ${cursor}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A heartbeat. With a cursor, it also advances the browser's `Last-Event-ID`, so that a later replay is short. */
const formatHeartbeat = (cursor: number | undefined): string =>
  cursor === undefined ? ':\n\n' : `:\nid: ${cursor}\n\n`;

/** A publication ready to be sent: the event text for each viewer, serialized once for all. */
interface PreparedPublication {
  readonly cursor: number;
  readonly deliveryId: string;
  readonly itemId: number;
  /** In lower case if `isAnyCase`. Empty if the publication is too old. */
  readonly texts: ReadonlyMap<string, string>;
  readonly isAnyCase: boolean;
  /** Characters of the texts. */
  readonly size: number;
}

const prepare = ({ cursor, delivery, ...published }: Publication): PreparedPublication => {
  const { audience, itemId, reply, supersededFor = [], isAnyCase = false } = published;
  const { id: deliveryId, receivedAtMs } = delivery;
  const texts = new Map<string, string>();
  const none = { cursor, deliveryId, itemId, texts, isAnyCase, size: overheadChars };
  if (audience.length === 0 || receivedAtMs < Date.now() - timing.showForMs) return none;
  const parsed = parseAction(delivery);
  if (!parsed.isOk) return none;
  const { id, reportId, reportName, visual, triggeredAt, isCleared, rows } = parsed.event;
  const event = { id, itemId, reportId, reportName, visual, triggeredAt, isCleared, rows };
  const action: ReportAction = { ...event, ...reply };
  const text = formatEvent(cursor, 'action', action);
  const marked =
    supersededFor.length > 0 ? formatEvent(cursor, 'action', { ...action, isSuperseded: true }) : '';
  for (const userId of audience) texts.set(userId, supersededFor.includes(userId) ? marked : text);
  return { ...none, size: overheadChars + text.length + marked.length };
};

/** The text of a publication for a viewer; `undefined` if it is not for them. */
const textFor = ({ texts, isAnyCase }: PreparedPublication, userId: string): string | undefined =>
  texts.get(isAnyCase ? userId.toLowerCase() : userId);

/**
 * Reads the inbox's new publications once for all streams of the process. `onPublication` is called for every new
 * publication, in order, with the cursor of the one before it.
 */
const startFeed = (
  context: ActionsContext,
  onPublication: (publication: PreparedPublication, before: number) => void,
) => {
  const recent: PreparedPublication[] = [];
  let recentChars = 0;
  /** Cursor before the first publication in `recent`. */
  let recentAfter = 0;
  let cursor = 0;
  let isReady = false;

  const readPage = async (after: number): Promise<readonly PreparedPublication[]> =>
    (await context.inbox.since(after, pageSize)).publications.map(prepare);
  const remember = (publication: PreparedPublication): void => {
    recent.push(publication);
    recentChars += publication.size;
    while (recentChars > maxRecentChars) {
      const oldest = recent.shift();
      if (oldest === undefined) break;
      recentChars -= oldest.size;
      recentAfter = oldest.cursor;
    }
  };
  const pump = runOnChange(context, 'published', async () => {
    for (let page = isReady ? await readPage(cursor) : []; page.length > 0; page = await readPage(cursor))
      for (const publication of page) {
        const before = cursor;
        cursor = publication.cursor;
        remember(publication);
        onPublication(publication, before);
      }
  });
  const start = async (): Promise<void> => {
    ({ cursor } = await context.inbox.since());
    recentAfter = cursor;
    isReady = true;
    pump.wake();
  };

  return {
    /** Resolves when the newest cursor is known; rejects if the inbox fails. */
    ready: start(),
    /** Cursor of the last publication passed to `onPublication`. */
    get cursor() {
      return cursor;
    },
    /** The next few publications after a cursor, up to the feed's: the recent ones from memory. */
    async read(after: number): Promise<readonly PreparedPublication[]> {
      if (after < recentAfter)
        return (await readPage(after)).filter((publication) => publication.cursor <= cursor);
      const first = recent.findLastIndex((publication) => publication.cursor <= after) + 1;
      return recent.slice(first, first + maxHeldPublications);
    },
    stop: () => void pump.stop(),
  };
};

type Feed = ReturnType<typeof startFeed>;

/** Creates the stream of one browser. It has no queue: a slow reader continues in the feed. */
const createViewerStream = (
  { report, messageOf }: ActionsContext,
  feed: Feed,
  { request, connection }: { readonly request: ActionsRequest; readonly connection: ActionsConnection },
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
  const end = (): void => {
    state.hasEnded = true;
    if (state.hasStarted) connection.end();
  };
  /** Whether `canView` still allows the report; the audience already includes the viewer. */
  const mayView = async ({ deliveryId, itemId }: PreparedPublication): Promise<boolean> => {
    try {
      const limit = { what: 'canView()', timeoutMs: timing.lookupMs };
      return await withTimeout(limit, () => request.canView(itemId));
    } catch (error) {
      const message = `canView() failed for action ${deliveryId}, so it is not delivered to a viewer: ${sentence(messageOf(error))}`;
      report({ kind: 'not-shown', deliveryId, message, error }, `canView ${deliveryId}`);
      return false;
    }
  };
  const send = async (after: number): Promise<void> => {
    for (let position = after; position < feed.cursor && !state.hasEnded; ) {
      const until = feed.cursor;
      const page = await feed.read(position);
      for (const publication of page) {
        const text = textFor(publication, request.viewer.userId);
        const isAllowed = text !== undefined && (await mayView(publication));
        if (state.hasEnded) return;
        if (isAllowed && !connection.write(text)) drained ??= Promise.withResolvers();
        await drained?.promise;
      }
      position = page.at(-1)?.cursor ?? until;
    }
    // Synchronous with the last check of the feed, so that the next publication finds the stream idle.
    state.isBusy = false;
  };
  /** Sends recent publications after a cursor that the viewer may see, at the browser's reading pace. */
  const start = async (after: number): Promise<void> => {
    state.hasStarted = true;
    try {
      await send(after);
    } catch (error) {
      const message = `The action inbox does not respond: ${messageOf(error)}`;
      report({ kind: 'inbox-failed', message, error });
      end();
    }
  };

  return {
    get hasEnded() {
      return state.hasEnded;
    },
    start,
    /** Continues after a cursor, unless it has not started or is still sending. */
    resume(after: number): void {
      if (state.isBusy) return;
      state.isBusy = true;
      void start(after);
    },
    /** Sends a heartbeat; if nothing is waiting, it advances the browser's position. */
    heartbeat(): void {
      if (state.hasEnded || drained) return;
      if (!connection.write(formatHeartbeat(state.isBusy ? undefined : feed.cursor)))
        drained ??= Promise.withResolvers();
    },
    /** Ends the stream, if it has started. */
    end,
  };
};

type ViewerStream = ReturnType<typeof createViewerStream>;

/** Pseudonym of a person with certain roles, whose tabs may share a stream. */
const scopeOf = ({ userId, roleNames }: Viewer): string => {
  const identity = JSON.stringify(['vitrine actions', userId, roleNames && [...roleNames].sort()]);
  return hash('sha256', identity, 'base64url').slice(0, 22);
};

const refuse = (connection: ActionsConnection, status: 429 | 503): void => {
  connection.start(status, { 'retry-after': status === 429 ? '30' : '1', 'cache-control': 'no-store' });
  connection.end();
};

/**
 * Creates the stream of actions, `GET {endpoint}/actions` as server-sent events. An action goes only to the viewers
 * that it was published for, if `canView` still allows it; a returning browser gets missed actions by its
 * `Last-Event-ID`.
 */
export const createActionStream = (context: ActionsContext) => {
  const { report, messageOf } = context;
  /** By user ID in lower case. */
  const streams = new Map<string, Set<ViewerStream>>();
  /** Defined while there are streams. */
  let feed: Feed | undefined;
  let isClosed = false;

  const stopFeed = (): void => {
    feed?.stop();
    feed = undefined;
  };
  const openFeed = (): Feed => {
    const started = startFeed(context, ({ texts }, before) => {
      for (const userId of texts.keys())
        for (const stream of streams.get(userId.toLowerCase()) ?? []) stream.resume(before);
    });
    // The next browser tries again.
    started.ready.catch(() => {
      if (feed === started) stopFeed();
    });
    return started;
  };
  const enter = (key: string, stream: ViewerStream, connection: ActionsConnection): void => {
    const own = (streams.get(key) ?? new Set()).add(stream);
    streams.set(key, own);
    connection.onClose(() => {
      own.delete(stream);
      if (own.size === 0) streams.delete(key);
      if (streams.size === 0) stopFeed();
    });
  };
  /** The position from which a browser continues. */
  const readPosition = ({ header }: ActionsRequest, { cursor }: Feed): number => {
    const sent = header('last-event-id') ?? '';
    const seen = /^\d{1,15}$/.test(sent) ? Number(sent) : cursor;
    // Actions beyond the replay limit are too old. A replaced inbox starts counting again.
    return Math.max(Math.min(seen, cursor), cursor - maxReplay);
  };

  return {
    /** Open streams in this process. */
    get streamCount() {
      return [...streams.values()].reduce((sum, { size }) => sum + size, 0);
    },
    async open(request: ActionsRequest, connection: ActionsConnection): Promise<void> {
      const { viewer } = request;
      const key = viewer.userId.toLowerCase();
      if (isClosed) return refuse(connection, 503);
      if ((streams.get(key)?.size ?? 0) >= timing.maxStreamsPerViewer) return refuse(connection, 429);
      feed ??= openFeed();
      const entered = feed;
      const stream = createViewerStream(context, entered, { request, connection });
      enter(key, stream, connection);
      try {
        await entered.ready;
      } catch (error) {
        report({
          kind: 'inbox-failed',
          message: `The action inbox does not respond: ${messageOf(error)}`,
          error,
        });
        return refuse(connection, 503);
      }
      if (isClosed) return refuse(connection, 503);
      if (stream.hasEnded) return;
      const after = readPosition(request, entered);
      const { heartbeatMs, maxStreamMs } = timing;
      // Vary by a tenth, so that streams opened together do not reconnect together. Monotonic, so that a stream also
      // ends on time if the clock is set back.
      const endsAtMs = performance.now() + maxStreamMs * (0.9 + 0.2 * Math.random());
      connection.start(200, streamHeaders);
      connection.write(formatEvent(after, 'hello', { heartbeatMs, scope: scopeOf(viewer) }));
      // Send it at once: a browser that does not receive it detects a buffering proxy.
      connection.write(formatHeartbeat(undefined));
      const heartbeat = setInterval(() => {
        if (performance.now() < endsAtMs) stream.heartbeat();
        else stream.end();
      }, heartbeatMs).unref();
      connection.onClose(() => clearInterval(heartbeat));
      await stream.start(after);
    },
    /** Ends every stream; the browsers reconnect to another process. */
    close(): void {
      isClosed = true;
      for (const own of streams.values()) for (const stream of own) stream.end();
      stopFeed();
    },
  };
};
