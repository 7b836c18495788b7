import type { ReportAction } from '@vitrine/contract';
import type { ActionsRequest } from '../actionRoutes.ts';
import type { Reply } from '../problems.ts';
import { type ActionsContext, runOnChange } from './context.ts';
import { sentence } from './diagnostics.ts';
import type { Publication } from './inbox.ts';
import { parseAction } from './parse.ts';
import { timing } from './timing.ts';
import { withTimeout } from './withTimeout.ts';

/** Maximum number of publications that a returning browser may replay. */
const maxReplay = 2048;
const pageSize = 128;
const highWaterMarkBytes = 65_536;
const encoder = new TextEncoder();
/** Bytes of actions that wait for a slow browser; with more, its stream ends, and it continues from its last event. */
const maxWaitingBytes = 32 * 1024 * 1024;
/** Added to the size of a body, so that many small ones count too. */
const overheadBytes = 4096;

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

/** The name of a viewer in the audience of a publication; `undefined` if it is not for them, or too old. */
const nameIn = ({ audience, isAnyCase, delivery }: Publication, userId: string): string | undefined => {
  const name = isAnyCase ? userId.toLowerCase() : userId;
  const isRecent = delivery.receivedAtMs >= Date.now() - timing.showForMs;
  return isRecent && audience.includes(name) ? name : undefined;
};

const toAction = ({ delivery, itemId, reply }: Publication): ReportAction | undefined => {
  const parsed = parseAction(delivery);
  if (!parsed.isOk) return undefined;
  const { id, reportId, reportName, visual, triggeredAt, isCleared, rows } = parsed.event;
  return { id, itemId, reportId, reportName, visual, triggeredAt, isCleared, rows, ...reply };
};

const refuse = (status: 429 | 503): Reply => ({
  status,
  headers: { 'retry-after': status === 429 ? '30' : '1', 'cache-control': 'no-store' },
  body: null,
});

/** The stream of one browser. */
interface ViewerStream {
  readonly userId: string;
  /** Sends a publication after the earlier ones, at the browser's reading pace. */
  readonly add: (publication: Publication, action: () => ReportAction | undefined) => void;
  readonly end: () => void;
}

/**
 * Creates the stream of actions, `GET {endpoint}/actions` as server-sent events. An action goes only to the viewers
 * that it was published for, if `canView` still allows it; a returning browser gets missed actions by its
 * `Last-Event-ID`.
 */
export const createActionStream = (context: ActionsContext) => {
  const { inbox, report, messageOf } = context;
  const streams = new Set<ViewerStream>();
  /** Reads the new publications once for all streams; defined while there are any. */
  let feed: { readonly ready: Promise<unknown>; readonly stop: () => Promise<void> } | undefined;
  /** Position up to which the streams have received publications. */
  let cursor = 0;
  let isClosed = false;

  const deliver = (publication: Publication): void => {
    let action: ReportAction | undefined;
    // Parsed at most once, and only if a stream wants it.
    const actionOf = () => (action ??= toAction(publication));
    for (const stream of streams)
      if (nameIn(publication, stream.userId) !== undefined) stream.add(publication, actionOf);
  };
  const openFeed = () => {
    let isReady = false;
    const pump = runOnChange(context, 'published', async () => {
      for (let isMore = isReady; isMore; ) {
        const { publications } = await inbox.since(cursor, pageSize);
        for (const publication of publications) {
          ({ cursor } = publication);
          deliver(publication);
        }
        isMore = publications.length > 0;
      }
    });
    const start = async (): Promise<void> => {
      ({ cursor } = await inbox.since());
      isReady = true;
      pump.wake();
    };
    const opened = { ready: start(), stop: () => pump.stop() };
    // The next browser tries again.
    opened.ready.catch(() => {
      if (feed === opened) closeFeed();
    });
    return opened;
  };
  const closeFeed = (): void => {
    void feed?.stop();
    feed = undefined;
  };
  const reportInbox = (error: unknown): void =>
    report({
      kind: 'inbox-failed',
      message: `The action inbox does not respond: ${messageOf(error)}`,
      error,
    });

  /** Whether `canView` still allows the report; the audience already includes the viewer. */
  const mayView = async (request: ActionsRequest, { delivery, itemId }: Publication): Promise<boolean> => {
    const { id: deliveryId } = delivery;
    try {
      const limit = { what: 'canView()', timeoutMs: timing.lookupMs };
      return await withTimeout(limit, () => request.canView(itemId));
    } catch (error) {
      const message = `canView() failed for action ${deliveryId}, so it is not delivered to a viewer: ${sentence(messageOf(error))}`;
      report({ kind: 'not-shown', deliveryId, message, error }, `canView ${deliveryId}`);
      return false;
    }
  };
  /** Registers the stream of a browser, which starts with the missed publications of `replay`. */
  const addStream = (request: ActionsRequest) => {
    const { signal } = request;
    const { userId } = request.viewer;
    const state = { waitingBytes: 0, hasEnded: false };
    /** Pending while the browser reads more slowly than we write. */
    let drained: PromiseWithResolvers<void> | undefined;
    let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
    let heartbeat: NodeJS.Timeout | undefined;
    const start = Promise.withResolvers<void>();
    let sent: Promise<unknown> = start.promise;
    const onDrain = (): void => {
      drained?.resolve();
      drained = undefined;
    };
    const leave = (): void => {
      state.hasEnded = true;
      clearInterval(heartbeat);
      signal.removeEventListener('abort', leave);
      onDrain();
      start.resolve();
      streams.delete(stream);
      if (streams.size === 0) closeFeed();
    };
    const end = (): void => {
      if (!state.hasEnded) sink?.close();
      leave();
    };
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          sink = controller;
        },
        pull: onDrain,
        cancel: leave,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: highWaterMarkBytes }),
    );
    const write = (text: string): void => {
      if (state.hasEnded || sink === undefined) return;
      sink.enqueue(encoder.encode(text));
      if ((sink.desiredSize ?? 0) <= 0) drained ??= Promise.withResolvers();
    };
    const send = async (
      publication: Publication,
      actionOf: () => ReportAction | undefined,
    ): Promise<void> => {
      const name = state.hasEnded ? undefined : nameIn(publication, userId);
      const action = name === undefined ? undefined : actionOf();
      if (name === undefined || action === undefined || !(await mayView(request, publication))) return;
      const isSuperseded = publication.supersededFor?.includes(name) === true;
      const data = { ...action, ...(isSuperseded && { isSuperseded }) };
      write(formatEvent(publication.cursor, 'action', data));
      await drained?.promise;
    };
    const stream: ViewerStream = {
      userId,
      add(publication, actionOf) {
        const bytes = publication.delivery.raw.byteLength + overheadBytes;
        state.waitingBytes += bytes;
        if (state.waitingBytes > maxWaitingBytes) end();
        sent = sent.then(() => send(publication, actionOf)).finally(() => (state.waitingBytes -= bytes));
      },
      end,
    };
    streams.add(stream);
    signal.addEventListener('abort', leave);
    return {
      body,
      end,
      /** Sends the publications after a position and up to another, then new ones. */
      async start(after: number, until: number): Promise<void> {
        if (state.hasEnded) return;
        const { heartbeatMs, maxStreamMs } = timing;
        // Vary by a tenth, so that streams opened together do not reconnect together. Monotonic, so that a stream also
        // ends on time if the clock is set back.
        const endsAtMs = performance.now() + maxStreamMs * (0.9 + 0.2 * Math.random());
        write(formatEvent(after, 'hello', { heartbeatMs }));
        // Send it at once: a browser that does not receive it detects a buffering proxy.
        write(':\n\n');
        let isReplaying = true;
        heartbeat = setInterval(() => {
          if (performance.now() >= endsAtMs) return end();
          if (drained) return;
          // It advances the browser's position, so that a later replay is short, unless an action waits.
          write(state.waitingBytes > 0 || isReplaying ? ':\n\n' : `:\nid: ${cursor}\n\n`);
        }, heartbeatMs).unref();
        try {
          for (let position = after; position < until && !state.hasEnded; ) {
            const { publications } = await inbox.since(position, pageSize);
            for (const publication of publications)
              if (publication.cursor <= until) await send(publication, () => toAction(publication));
            position = publications.at(-1)?.cursor ?? until;
          }
        } catch (error) {
          reportInbox(error);
          end();
        }
        isReplaying = false;
        start.resolve();
      },
    };
  };

  return {
    /** Open streams in this process. */
    get streamCount() {
      return streams.size;
    },
    async open(request: ActionsRequest): Promise<Reply> {
      const { userId } = request.viewer;
      if (isClosed) return refuse(503);
      const own = [...streams].filter((stream) => stream.userId === userId);
      if (own.length >= timing.maxStreamsPerViewer) return refuse(429);
      feed ??= openFeed();
      const { ready } = feed;
      const stream = addStream(request);
      try {
        await ready;
      } catch (error) {
        reportInbox(error);
        stream.end();
        return refuse(503);
      }
      if (isClosed) return refuse(503);
      const sent = request.lastEventId;
      const until = cursor;
      const seen = /^\d{1,15}$/.test(sent) ? Number(sent) : until;
      // Actions beyond the replay limit are too old. A replaced inbox starts counting again.
      void stream.start(Math.max(Math.min(seen, until), until - maxReplay), until);
      return { status: 200, headers: streamHeaders, body: stream.body };
    },
    /** Ends every stream; the browsers reconnect to another process. */
    close(): void {
      isClosed = true;
      for (const stream of streams) stream.end();
      closeFeed();
    },
  };
};
