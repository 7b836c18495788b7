import {
  actionsPath,
  defaultEndpoint,
  pollParameter,
  type ReportAction,
  requestMarkerHeader,
  waitedParameter,
} from '@vitrine/contract';
import { isProblem } from '../keys/isProblem.ts';
import type { KeyRequestOptions } from '../keys/keyRequestOptions.ts';
import { readHeaders } from '../keys/readHeaders.ts';
import { readRetryAfterMs } from '../keys/readRetryAfterMs.ts';
import { backoffMs, maxBackgroundDelayMs, maxForegroundDelayMs } from '../session/retryDelayMs.ts';
import type { ActionStreamStatus } from './actionStreamStatus.ts';
import { createEventParser, type StreamEvent } from './createEventParser.ts';
import type { PageEnvironment } from './pageEnvironment.ts';
import { defaultHeartbeatMs, readStreamHello, type StreamHello } from './streamHello.ts';

/** An action and its position in the stream. */
export interface PlacedAction {
  readonly cursor: number;
  readonly action: ReportAction;
}

/** Options of {@link createActionStream}. */
export interface ActionStreamOptions {
  /** Request options; read for every request, because callbacks change. */
  readonly keys: () => KeyRequestOptions;
  readonly environment: PageEnvironment;
  readonly onHello: (hello: StreamHello) => void;
  readonly onAction: (placed: PlacedAction) => void;
  /** Called for every event and heartbeat, with the position reached. */
  readonly onHeartbeat: (cursor: number) => void;
  /** The backend counts from a lower position than before: its inbox was restored or replaced. */
  readonly onRestart: (cursor: number) => void;
  /** An attempt to connect failed. */
  readonly onFailure: () => void;
  readonly onStatus: (status: ActionStreamStatus) => void;
}

/** An action stream that reconnects automatically. */
export interface ActionStream {
  /** Opens the stream after a position; by default, with new actions only. No effect while it is open. */
  open(after?: number): void;
  close(): void;
}

/** After this many missed heartbeats, the connection counts as dead. */
const maxMissedHeartbeats = 2.5;
/** Events after which a page may have been suspended, or a viewer returns. */
const wakeEvents = ['pageshow', 'focus', 'online', 'resume', 'visibilitychange'];
/** Pause between two polls while the viewer looks at the page. */
const pollMs = 3_000;
/** After this many polls, the page tries a stream again. */
const pollsPerTrial = 200;

/** A development server without a proxy responds to every path with its own page. */
const isEventStream = ({ ok, headers }: Response): boolean =>
  ok && !!headers.get('content-type')?.startsWith('text/event-stream');

/** Reads `GET {endpoint}/actions` with fetch, because an EventSource cannot send a host's bearer token. */
export const createActionStream = (options: ActionStreamOptions): ActionStream => {
  const { keys, environment, onHello, onAction, onHeartbeat, onRestart, onFailure, onStatus } = options;
  let abort: AbortController | undefined;
  let stopTimer: (() => void) | undefined;
  let stopWake: (() => void) | undefined;
  let cursor: number | undefined;
  let failures = 0;
  let isAlive = false;
  let lastEventAtMs = 0;
  let openedAtMs = 0;
  let isRefused = false;
  let hasNoRoute = false;
  let retryAfterMs = 0;
  let heartbeatMs = defaultHeartbeatMs;
  /** Polls left because a proxy buffers the stream; 0: no polling. */
  let pollsLeft = 0;

  const setTimer = (run: () => void, delayMs: number): void => {
    stopTimer?.();
    stopTimer = environment.setTimer(run, delayMs);
  };

  const takeEvent = ({ id, name, data }: StreamEvent, after: number | undefined): void => {
    const value: unknown = JSON.parse(data);
    const position = Number(id);
    if (name === 'hello') {
      const hello = readStreamHello(value);
      heartbeatMs = hello.heartbeatMs;
      if (after !== undefined && position < after) onRestart(position);
      onHello(hello);
    } else if (name === 'action') {
      // Our own backend writes the event.
      onAction({ cursor: position, action: value as ReportAction });
    }
  };

  const pollQuery = (): string => {
    if (pollsLeft === 0) return '';
    const waitedMs = Math.max(0, Math.round(environment.wallNow() - openedAtMs));
    return `?${pollParameter}=1${cursor === undefined ? `&${waitedParameter}=${waitedMs}` : ''}`;
  };

  const request = async (signal: AbortSignal): Promise<ReadableStream<string>> => {
    const { endpoint = defaultEndpoint, credentials = 'same-origin', headers, fetch: send = fetch } = keys();
    const response = await send(`${endpoint}${actionsPath}${pollQuery()}`, {
      headers: {
        ...(typeof headers === 'function' ? await readHeaders(headers) : headers),
        accept: 'text/event-stream',
        [requestMarkerHeader]: '1',
        ...(cursor !== undefined && { 'last-event-id': String(cursor) }),
      },
      credentials,
      cache: 'no-store',
      signal,
    });
    // The backend itself responds that it has no such route.
    hasNoRoute = response.status === 404 && isProblem(response);
    isRefused = response.status < 500 && response.status !== 429 && !isEventStream(response);
    if (isRefused) onStatus('refused');
    retryAfterMs = readRetryAfterMs(response);
    if (!isEventStream(response) || !response.body)
      throw new Error(`Action stream: status ${response.status}.`);
    return environment.decodeText(response.body);
  };

  const read = async (signal: AbortSignal): Promise<void> => {
    const after = cursor;
    // Starts before the response, which a proxy may also hold back.
    setTimer(onSilentStart, heartbeatMs);
    const reader = (await request(signal)).getReader();
    const parse = createEventParser({
      onEvent: (event) => takeEvent(event, after),
      onId: (id) => {
        cursor = Number(id);
      },
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      // A proxy may pass the greeting on and buffer the rest.
      setTimer(isAlive ? restart : onSilentStart, heartbeatMs * maxMissedHeartbeats);
      isAlive = true;
      lastEventAtMs = environment.wallNow();
      onStatus(pollsLeft > 0 ? 'polling' : 'open');
      parse(value);
      if (cursor !== undefined && !signal.aborted) onHeartbeat(cursor);
    }
  };

  const run = async (): Promise<void> => {
    abort = new AbortController();
    const { signal } = abort;
    isAlive = isRefused = false;
    retryAfterMs = 0;
    lastEventAtMs = environment.wallNow();
    let hasFailed = false;
    try {
      await read(signal);
    } catch {
      // Whatever the cause, reconnect after a pause.
      hasFailed = true;
    }
    if (signal.aborted) return;
    abort = undefined;
    stopTimer?.();
    if (!isAlive) onFailure();
    if (hasNoRoute) return;
    setTimer(start, pauseMs(hasFailed));
  };

  const pauseMs = (hasFailed: boolean): number => {
    // The backend ended a live stream on purpose: reopen it soon.
    failures = isAlive ? 0 : failures + 1;
    if (pollsLeft > 0 && isAlive && !hasFailed) {
      pollsLeft -= 1;
      return environment.isVisible() ? pollMs : maxForegroundDelayMs;
    }
    if (!isRefused) onStatus('retrying');
    const capMs = environment.isVisible() ? maxForegroundDelayMs : maxBackgroundDelayMs;
    const delayMs = backoffMs(failures, capMs, environment.random());
    return Math.max(delayMs, Math.min(retryAfterMs, maxBackgroundDelayMs));
  };

  const start = (): void => {
    if (abort === undefined) void run();
  };

  const pause = (): void => {
    abort?.abort();
    abort = undefined;
    stopTimer?.();
  };

  const restart = (): void => {
    pause();
    start();
  };

  /** Nothing arrived, or nothing after the greeting: a proxy buffers the response until it ends. */
  const onSilentStart = (): void => {
    if (pollsLeft > 0) {
      // Not a proxy: the backend does not respond at all.
      pollsLeft = 0;
      onFailure();
    } else {
      pollsLeft = pollsPerTrial;
    }
    restart();
  };

  return {
    open(after) {
      if (abort) return;
      stopTimer?.();
      cursor = after;
      openedAtMs = environment.wallNow();
      onStatus('connecting');
      stopWake ??= environment.listenToAll(wakeEvents, () => {
        if (hasNoRoute || !environment.isVisible()) return;
        // After a suspension, the connection is dead without an error.
        if (environment.wallNow() - lastEventAtMs > heartbeatMs * maxMissedHeartbeats) restart();
        // A returning viewer need not wait, and may have signed in elsewhere.
        else if (pollsLeft === 0) start();
      });
      start();
    },
    close() {
      pause();
      stopWake?.();
      stopWake = undefined;
      onStatus('closed');
    },
  };
};
