import { actionsPath, defaultEndpoint, type ReportAction, requestMarkerHeader } from '@vitrine/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { type ActionStreamStatus, inspect, streamStatuses } from './inspectors.ts';
import type { EmbedKeyOptions } from './keys/embedKeyOptions.ts';
import { isProblem } from './keys/isProblem.ts';
import type { KeyRequestOptions } from './keys/keyRequestOptions.ts';
import { readHeaders } from './keys/readHeaders.ts';
import { readRetryAfterMs } from './keys/readRetryAfterMs.ts';
import { getClock } from './session/clock.ts';
import { backoffMs, maxBackgroundDelayMs, maxForegroundDelayMs } from './session/retryDelayMs.ts';

/** A listener to the actions of one viewer. */
export interface ActionListener {
  readonly onAction: (action: ReportAction) => void;
  /** Called with the current status at once, and whenever it changes. */
  readonly onStatus: (status: ActionStreamStatus) => void;
}

interface ActionStream {
  /** Requests use the options of the newest listener, whose provider is mounted. Returns an unsubscribe function. */
  readonly listen: (keys: KeyRequestOptions, listener: ActionListener) => () => void;
}

/** Longest wait for the first event: a backend sends it at once, but a proxy that buffers keeps it. */
const firstEventMs = 4_000;
/** The backend's default, until its first event tells another. */
const defaultHeartbeatMs = 15_000;
/** After this many missed heartbeats, the connection counts as dead. */
const maxMissedHeartbeats = 2.5;
/** How long the stream stays open without listeners, so that a route change does not reopen it. */
const lingerMs = 1_000;
/** Events after which a page may be shown or hidden, or have been suspended. */
const pageEvents = ['pagehide', 'pageshow', 'freeze', 'resume', 'focus', 'online', 'visibilitychange'];

/** A development server without a proxy responds to every path with its own page. */
const isEventStream = ({ ok, headers }: Response): boolean =>
  ok && !!headers.get('content-type')?.startsWith('text/event-stream');

/**
 * Creates the stream `GET {endpoint}/actions`, read with fetch, because an EventSource cannot send a host's bearer token.
 * It is open while the page is visible and has listeners; a page that is shown again continues after the last event.
 */
const createActionStream = (endpoint: string): ActionStream => {
  const listeners = new Map<ActionListener, KeyRequestOptions>();
  const clock = getClock();
  let newestKeys: KeyRequestOptions = {};
  let status: ActionStreamStatus = 'closed';
  /** The connection; undefined during a pause. */
  let connection: AbortController | undefined;
  /** Position of the last event. Without one, the backend sends only new actions. */
  let position: number | undefined;
  let heartbeatMs = defaultHeartbeatMs;
  let failures = 0;
  let heardAt = 0;
  /** What the end of the connection means. */
  let ending: ActionStreamStatus = 'retrying';
  let retryAfterMs = 0;
  /** The backend itself responds that it has no such route. */
  let hasNoRoute = false;
  /** Ends a silent connection, or the pause before the next one. */
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopLinger: ReturnType<typeof setTimeout> | undefined;

  const setTimer = (run: () => void, delayMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(run, delayMs);
  };

  const setStatus = (next: ActionStreamStatus) => {
    if (next === status) return;
    status = next;
    streamStatuses.set(endpoint, next);
    inspect({ type: 'stream', endpoint, status });
    for (const { onStatus } of listeners.keys()) onStatus(next);
  };

  const deliver = (action: ReportAction) => {
    for (const { onAction } of listeners.keys()) {
      try {
        onAction(action);
      } catch (error) {
        // Report a listener's error like any uncaught one; the other listeners still get the action.
        reportError(error);
      }
    }
  };

  const take = ({ id, event, data }: EventSourceMessage, after: number) => {
    // Our own backend writes the event.
    const value = JSON.parse(data) as ReportAction & { readonly heartbeatMs?: number };
    if (event === 'hello') heartbeatMs = Math.max(1_000, Number(value.heartbeatMs) || defaultHeartbeatMs);
    // An action at or before the position has been delivered.
    if (event === 'action' && !(Number(id) <= after)) deliver(value);
  };

  const request = async (signal: AbortSignal): Promise<ReadableStream<string>> => {
    const { credentials = 'same-origin', headers, fetch: send = fetch } = newestKeys;
    const response = await send(endpoint + actionsPath, {
      headers: {
        ...(typeof headers === 'function' ? await readHeaders(headers) : headers),
        accept: 'text/event-stream',
        [requestMarkerHeader]: '1',
        ...(position !== undefined && { 'last-event-id': String(position) }),
      },
      credentials,
      cache: 'no-store',
      signal,
    });
    if (isEventStream(response) && response.body) return response.body.pipeThrough(new TextDecoderStream());
    hasNoRoute = response.status === 404 && isProblem(response);
    if (response.status < 500 && response.status !== 429) ending = 'refused';
    retryAfterMs = Math.min(readRetryAfterMs(response), maxBackgroundDelayMs);
    throw new Error(`Action stream: status ${response.status}.`);
  };

  const read = async (signal: AbortSignal) => {
    let before = -Infinity;
    let eventCount = 0;
    const onSilence = () => {
      // A proxy may pass the greeting on and buffer the rest.
      if (eventCount <= 1) setStatus('buffered');
      restart();
    };
    heardAt = clock.now();
    const stillMs = () => heartbeatMs * maxMissedHeartbeats;
    setTimer(() => {
      setStatus('buffered');
      setTimer(onSilence, stillMs() - firstEventMs);
    }, firstEventMs);
    const reader = (await request(signal)).getReader();
    const parser = createParser({
      onEvent: (event) => take(event, before),
      onId: (id) => {
        before = position ?? -Infinity;
        if (!Number.isNaN(Number(id))) position = Number(id);
      },
    });
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      eventCount += 1;
      heardAt = clock.now();
      setTimer(onSilence, stillMs());
      // A proxy that passes only the greeting on does so each time.
      if (eventCount > 1 || status !== 'buffered') setStatus('open');
      failures = 0;
      parser.feed(value);
    }
  };

  const connect = async () => {
    if (connection || hasNoRoute || document.hidden) return;
    connection = new AbortController();
    const { signal } = connection;
    failures += 1;
    ending = 'retrying';
    retryAfterMs = 0;
    // Whatever the cause of an error, reconnect after a pause.
    await read(signal).catch(() => undefined);
    if (signal.aborted) return;
    disconnect();
    setStatus(ending);
    if (hasNoRoute) return;
    const pauseMs = backoffMs(failures, maxForegroundDelayMs, Math.random());
    setTimer(connect, Math.max(pauseMs, retryAfterMs));
  };

  const disconnect = () => {
    clearTimeout(timer);
    connection?.abort();
    connection = undefined;
  };

  const restart = () => {
    disconnect();
    void connect();
  };

  const onPageEvent = ({ type }: Event) => {
    if (document.hidden || type === 'pagehide' || type === 'freeze') {
      disconnect();
      return setStatus('closed');
    }
    if (status === 'closed') setStatus('connecting');
    // After a suspension, the connection is dead without an error.
    if (clock.now() - heardAt > heartbeatMs * maxMissedHeartbeats) disconnect();
    // A returning viewer need not wait, and may have signed in elsewhere.
    void connect();
  };

  const listenToPage = (how: 'addEventListener' | 'removeEventListener') => {
    // Only the window's own `focus`: a capturing listener would also see that of every element.
    for (const type of pageEvents) globalThis[how](type, onPageEvent, type !== 'focus');
  };

  const close = () => {
    listenToPage('removeEventListener');
    disconnect();
    setStatus('closed');
    // A later listener gets only new actions.
    position = undefined;
    stopLinger = undefined;
  };

  return {
    listen(keys, listener) {
      newestKeys = keys;
      const isOpen = listeners.size > 0 || stopLinger !== undefined;
      clearTimeout(stopLinger);
      stopLinger = undefined;
      listeners.set(listener, keys);
      if (isOpen) listener.onStatus(status);
      else {
        listenToPage('addEventListener');
        hasNoRoute = false;
        failures = 0;
        if (!document.hidden) setStatus('connecting');
        void connect();
      }
      return () => {
        listeners.delete(listener);
        newestKeys = [...listeners.values()].at(-1) ?? newestKeys;
        if (!listeners.size) stopLinger = setTimeout(close, lingerMs);
      };
    },
  };
};

const streams = new Map<string, ActionStream>();

/** Listens to the page's stream of an endpoint and a viewer; returns an unsubscribe function. */
export const listenToActions = (keys: EmbedKeyOptions, listener: ActionListener): (() => void) => {
  const { endpoint = defaultEndpoint, viewer = '' } = keys;
  const id = JSON.stringify([endpoint, viewer]);
  const stream = streams.get(id) ?? createActionStream(endpoint);
  streams.set(id, stream);
  return stream.listen(keys, listener);
};
