import type { ReportAction } from '@vitrine/contract';
import type { ActionsRequest } from '../actionRoutes.ts';
import { inTime } from '../hostCalls.ts';
import { KeyRequestError, type Reply } from '../problems.ts';
import { type ActionsContext, runOnChange } from './context.ts';
import type { Publication } from './inbox.ts';
import { parseAction } from './parse.ts';

/** Maximum number of publications that a returning browser may replay. */
const maxReplay = 2048;
const pageSize = 16;
/** Bytes of actions that wait for a slow browser; with more, its connection ends, and it continues from its last event. */
const maxWaitingBytes = 16 * 1024 * 1024;
const encoder = new TextEncoder();

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

const toAction = ({ delivery, itemId, reply }: Publication): ReportAction | undefined => {
  const parsed = parseAction(delivery);
  if (!parsed.isOk) return undefined;
  const { id, reportId, reportName, visual, triggeredAt, isCleared, rows } = parsed.event;
  return { id, itemId, reportId, reportName, visual, triggeredAt, isCleared, rows, ...reply };
};

const refused = (code: 'overloaded' | 'rate_limited', retryAfterMs: number, problem: string) =>
  new KeyRequestError(
    { code, retryAfterMs },
    {
      origin: 'server',
      problem,
      hint: 'A page needs one stream while it is visible. The browser tries again.',
    },
  );

/** The stream of one browser. */
interface ViewerStream {
  readonly userId: string;
  /** Sends a publication, whose action is known, after the earlier ones. */
  readonly add: (publication: Publication, action: ReportAction | undefined) => void;
  readonly end: () => void;
}

/**
 * Creates the stream of actions, `GET {endpoint}/actions` as server-sent events. An action goes only to the viewers
 * that it was published for, if `canView` still allows it; a returning browser gets missed actions by its
 * `Last-Event-ID`.
 */
export const createActionStream = (context: ActionsContext) => {
  const { inbox, report, timing } = context;
  const streams = new Set<ViewerStream>();
  /** Position up to which the streams have received publications; undefined until the inbox responds. */
  let cursor: number | undefined;
  let isClosed = false;

  /** The name of a viewer in the audience of a publication; `undefined` if it is not for them, or too old. */
  const nameIn = ({ audience, isAnyCase, delivery }: Publication, userId: string): string | undefined => {
    const name = isAnyCase ? userId.toLowerCase() : userId;
    const isRecent = delivery.receivedAtMs >= Date.now() - timing.showForMs;
    return isRecent && audience.includes(name) ? name : undefined;
  };
  /** Reads the new publications once for all streams. */
  const pump = runOnChange(context, 'published', async () => {
    cursor ??= (await inbox.since()).cursor;
    for (let isMore = true; isMore; ) {
      const { publications } = await inbox.since(cursor, pageSize);
      for (const publication of publications) {
        ({ cursor } = publication);
        const wanted = [...streams].filter(({ userId }) => nameIn(publication, userId) !== undefined);
        const action = wanted.length === 0 ? undefined : toAction(publication);
        for (const stream of wanted) stream.add(publication, action);
      }
      isMore = publications.length > 0;
    }
  });

  /** Whether `canView` still allows the report; the audience already includes the viewer. */
  const mayView = async (request: ActionsRequest, { delivery, itemId }: Publication): Promise<boolean> => {
    const { id: deliveryId } = delivery;
    try {
      return await inTime(request.canView(itemId), 'canView()', timing.lookupMs);
    } catch (error) {
      const message = `canView() failed for action ${deliveryId}, so it is not delivered to a viewer`;
      report({ kind: 'not-shown', deliveryId, message, error }, `canView ${deliveryId}`);
      return false;
    }
  };
  /** Registers the stream of a browser: the publications after a position and up to another, then new ones. */
  const addStream = (request: ActionsRequest, after: number, until: number) => {
    const { signal, viewer } = request;
    const { userId } = viewer;
    const { heartbeatMs, maxStreamMs } = timing;
    let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
    const isOpen = (): boolean => streams.has(stream);
    const leave = (): void => {
      clearInterval(heartbeat);
      signal.removeEventListener('abort', leave);
      streams.delete(stream);
    };
    const end = (): void => {
      if (isOpen()) sink?.close();
      leave();
    };
    const body = new ReadableStream<Uint8Array>(
      { start: (controller) => void (sink = controller), cancel: leave },
      new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
    );
    const write = (text: string): void => {
      if (!isOpen()) return;
      sink?.enqueue(encoder.encode(text));
      if ((sink?.desiredSize ?? 0) >= 0) return;
      // After an end, what waits would stay with a browser that does not read.
      sink?.error(new Error('The browser reads its stream of actions too slowly.'));
      leave();
    };
    const send = async (publication: Publication, known?: ReportAction): Promise<void> => {
      const name = nameIn(publication, userId);
      if (!isOpen() || name === undefined || !(await mayView(request, publication))) return;
      const action = known ?? toAction(publication);
      const isSuperseded = publication.supersededFor?.includes(name) === true;
      const data = { ...action, ...(isSuperseded && { isSuperseded }) };
      if (action !== undefined) write(formatEvent(publication.cursor, 'action', data));
    };
    const replay = async (): Promise<void> => {
      for (let position = after; position < until && isOpen(); ) {
        const { publications } = await inbox.since(position, pageSize);
        for (const publication of publications) if (publication.cursor <= until) await send(publication);
        position = publications.at(-1)?.cursor ?? until;
      }
    };
    // Vary by a tenth, so that streams opened together do not reconnect together. Monotonic, so that a stream also ends
    // on time if the clock is set back.
    const endsAtMs = performance.now() + maxStreamMs * (0.9 + 0.2 * Math.random());
    const heartbeat = setInterval(() => {
      if (performance.now() >= endsAtMs) return end();
      // A position makes a later replay short, unless an action waits for `canView`.
      write(waiting > 0 ? ':\n\n' : `:\nid: ${cursor}\n\n`);
    }, heartbeatMs).unref();
    let waiting = 0;
    let sent: Promise<unknown> = Promise.resolve();
    const enqueue = (work: () => Promise<void>): void => {
      waiting += 1;
      if (waiting > maxReplay) end();
      sent = sent.then(work).finally(() => (waiting -= 1));
    };
    const stream: ViewerStream = {
      userId,
      add: (publication, action) => enqueue(() => send(publication, action)),
      end,
    };
    streams.add(stream);
    signal.addEventListener('abort', leave);
    write(formatEvent(after, 'hello', { heartbeatMs }));
    // Send it at once: a browser that does not receive it detects a buffering proxy.
    write(':\n\n');
    enqueue(() =>
      replay().catch((error: unknown) => {
        pump.fail(error);
        end();
      }),
    );
    return body;
  };

  return {
    /** Open streams in this process. */
    get streamCount() {
      return streams.size;
    },
    async open(request: ActionsRequest): Promise<Reply> {
      const { userId } = request.viewer;
      if (cursor === undefined) await pump.wake();
      if (isClosed || cursor === undefined)
        throw refused(
          'overloaded',
          1000,
          'The action inbox does not respond, or the process is shutting down.',
        );
      const own = [...streams].filter((stream) => stream.userId === userId);
      if (own.length >= timing.maxStreamsPerViewer)
        throw refused('rate_limited', 30_000, `The viewer has ${own.length} open action streams.`);
      const until = cursor;
      const seen = /^\d{1,15}$/.test(request.lastEventId) ? Number(request.lastEventId) : until;
      // Actions beyond the replay limit are too old. A replaced inbox starts counting again.
      const after = Math.max(Math.min(seen, until), until - maxReplay);
      return { status: 200, headers: streamHeaders, body: addStream(request, after, until) };
    },
    /** Ends every stream; the browsers reconnect to another process. */
    close(): void {
      isClosed = true;
      for (const stream of streams) stream.end();
      void pump.stop();
    },
  };
};
