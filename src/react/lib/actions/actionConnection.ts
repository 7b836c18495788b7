import { actionsPath, defaultEndpoint, type ReportAction, requestMarkerHeader } from '@vitrine/contract';
import type { KeyRequestOptions } from '../keys/keyRequest.ts';
import { calmPauseMs, retryDelayMs, urgentPauseMs } from '../life/retryDelay.ts';
import { createEventParser, type StreamEvent } from './eventParser.ts';
import type { PageClock } from './pageClock.ts';

/** An action and its position in the stream. */
export interface PlacedAction {
  readonly cursor: number;
  readonly action: ReportAction;
}

/** What the backend says when a stream opens. */
export interface Hello {
  /** Names the viewer without saying who it is; tabs with the same one may share a stream. */
  readonly scope: string;
  /** Longest silence to expect, in milliseconds. */
  readonly heartbeatMs: number;
}

/** Options of {@link createActionConnection}. */
export interface ActionConnectionOptions {
  /** How the backend is asked; read anew for every request, because callbacks change. */
  readonly keys: () => KeyRequestOptions;
  readonly environment: PageClock;
  readonly onHello: (hello: Hello) => void;
  readonly onAction: (placed: PlacedAction) => void;
  /** Told at every sign of life, with the position reached. */
  readonly onBeat: (cursor: number) => void;
}

/** A stream of actions that comes back by itself. */
export interface ActionConnection {
  /** Opens the stream after a position, or at the present. Without effect while it is open. */
  open(after?: number): void;
  close(): void;
}

const defaultHeartbeatMs = 15_000;
/** Silence of so many heartbeats means that the connection is dead, whatever the network stack believes. */
const patience = 2.5;
/** When a page may have slept, or a person returns to it. */
const wakeEvents = ['pageshow', 'focus', 'online', 'resume', 'visibilitychange'];
/** Statuses that no repetition changes: no such route, or another method is asked for. */
const finalStatuses = [404, 405];

/** Reads `GET {endpoint}/actions` with fetch, because an EventSource cannot send a host's bearer token. */
export const createActionConnection = (options: ActionConnectionOptions): ActionConnection => {
  const { keys, environment, onHello, onAction, onBeat } = options;
  let abort: AbortController | undefined;
  let stopTimer: (() => void) | undefined;
  let stopWake: (() => void) | undefined;
  let cursor: number | undefined;
  let failures = 0;
  let isAlive = false;
  let heardAtMs = 0;
  let isHopeless = false;
  let heartbeatMs = defaultHeartbeatMs;

  const setTimer = (run: () => void, delayMs: number): void => {
    stopTimer?.();
    stopTimer = environment.setTimer(run, delayMs);
  };

  const takeEvent = ({ id, name, data }: StreamEvent): void => {
    const value: unknown = JSON.parse(data);
    if (name === 'hello') {
      // The backend of this package writes the event, and `readHello` takes nothing for granted in it.
      const hello = readHello(value);
      heartbeatMs = hello.heartbeatMs;
      onHello(hello);
    } else if (name === 'action') onAction({ cursor: Number(id), action: value as ReportAction });
  };

  const read = async (signal: AbortSignal): Promise<void> => {
    const { endpoint = defaultEndpoint, credentials = 'same-origin', headers, fetch: send = fetch } = keys();
    const allHeaders = new Headers(typeof headers === 'function' ? await headers() : headers);
    allHeaders.set('accept', 'text/event-stream');
    allHeaders.set(requestMarkerHeader, '1');
    if (cursor !== undefined) allHeaders.set('last-event-id', String(cursor));
    const response = await send(endpoint + actionsPath, {
      headers: allHeaders,
      credentials,
      cache: 'no-store',
      signal,
    });
    isHopeless = finalStatuses.includes(response.status);
    if (!response.ok || !response.body)
      throw new Error(`The stream of actions was answered ${response.status}.`);
    const parse = createEventParser({
      onEvent: takeEvent,
      onId: (id) => {
        cursor = Number(id);
      },
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      setTimer(() => restart(), heartbeatMs * patience);
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      isAlive = true;
      heardAtMs = environment.wallNow();
      parse(value);
      if (cursor !== undefined && !signal.aborted) onBeat(cursor);
    }
  };

  const run = async (): Promise<void> => {
    abort = new AbortController();
    const { signal } = abort;
    isAlive = false;
    heardAtMs = environment.wallNow();
    try {
      await read(signal);
    } catch {
      // Whatever ended it, the answer is the same: come back after a pause.
    }
    if (signal.aborted) return;
    abort = undefined;
    if (isHopeless) return;
    // A stream that was alive ends by the backend's wish and is opened again soon.
    failures = isAlive ? 0 : failures + 1;
    setTimer(
      start,
      retryDelayMs(failures, environment.isVisible() ? urgentPauseMs : calmPauseMs, environment.random()),
    );
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

  const listenToAll = (onWake: () => void): (() => void) => {
    const undo = wakeEvents.map((type) => environment.listen(type, onWake));
    // An open request would keep the page out of the back/forward cache.
    undo.push(environment.listen('pagehide', pause));
    return () => undo.forEach((end) => end());
  };

  return {
    open(after) {
      if (after !== undefined) cursor = after;
      stopWake ??= listenToAll(() => {
        if (isHopeless || !environment.isVisible()) return;
        // After a sleep the connection is dead although nothing has said so.
        if (environment.wallNow() - heardAtMs > heartbeatMs * patience) restart();
        // A person who comes back waits for no pause, and signing in elsewhere may have cured a refusal.
        else start();
      });
      start();
    },
    close() {
      pause();
      stopWake?.();
      stopWake = undefined;
    },
  };
};

const readHello = (value: unknown): Hello => {
  const { scope, heartbeatMs } = Object(value) as Partial<Record<keyof Hello, unknown>>;
  return {
    scope: typeof scope === 'string' ? scope : '',
    heartbeatMs: typeof heartbeatMs === 'number' && heartbeatMs >= 1000 ? heartbeatMs : defaultHeartbeatMs,
  };
};
