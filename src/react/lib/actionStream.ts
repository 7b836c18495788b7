import { actionsPath, defaultEndpoint, type ReportAction, requestMarkerHeader } from '@vitrine/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import {
  type ActionFilter,
  type ActionStreamStatus,
  type ActionSubscription,
  streamStatuses,
} from './actionSubscription.ts';
import { backoffMs, maxBackgroundDelayMs, maxForegroundDelayMs } from './backoff.ts';
import { development } from './errors.ts';
import { callBackend, type EmbedKeyOptions, isProblem, readRetryAfterMs } from './keyQuery.ts';
import { pageNow } from './keyTime.ts';
import { notifyHost } from './report.ts';

/** A listener to the actions of one viewer, as it is now. */
type ActionListener = () => ActionSubscription;

const isSameReport = (action: ReportAction, { itemId, reportId }: ActionFilter): boolean => {
  if (itemId === undefined && reportId === undefined) return true;
  // Webhooks identify a report by GUID, pages by number; the backend adds the number if it knows it.
  if (itemId !== undefined && (action.itemId === itemId || action.reportId === String(itemId))) return true;
  return reportId !== undefined && action.reportId.toLowerCase() === reportId.toLowerCase();
};

/** Requests use the options of the newest listener, whose provider is mounted. Returns an unsubscribe function. */
type ActionStream = (keys: EmbedKeyOptions, listener: ActionListener) => () => void;

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
  const listeners = new Map<ActionListener, EmbedKeyOptions>();
  let newestKeys: EmbedKeyOptions = {};
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
    development.warn?.(status);
    for (const listener of listeners.keys()) listener().onStatusChange?.(next);
  };

  const deliver = (action: ReportAction) => {
    for (const listener of listeners.keys()) {
      const { filter, onAction, onDataChange } = listener();
      const isVisualWanted = filter.visual === undefined || filter.visual === action.visual;
      if (!isVisualWanted || !isSameReport(action, filter)) continue;
      if (action.refresh) notifyHost(onDataChange);
      // A page shows the last click.
      if (!action.isSuperseded) notifyHost(onAction, action);
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
    const response = await callBackend(newestKeys, actionsPath, {
      headers: {
        accept: 'text/event-stream',
        [requestMarkerHeader]: 'automatic',
        ...(position !== undefined && { 'last-event-id': String(position) }),
      },
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
      disconnect();
      void connect();
    };
    heardAt = pageNow();
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
      heardAt = pageNow();
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

  const onPageEvent = ({ type }: Event) => {
    if (document.hidden || type === 'pagehide' || type === 'freeze') {
      disconnect();
      return setStatus('closed');
    }
    if (status === 'closed') setStatus('connecting');
    // After a suspension, the connection is dead without an error.
    if (pageNow() - heardAt > heartbeatMs * maxMissedHeartbeats) disconnect();
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

  return (keys, listener) => {
    newestKeys = keys;
    const isOpen = listeners.size > 0 || stopLinger !== undefined;
    clearTimeout(stopLinger);
    stopLinger = undefined;
    listeners.set(listener, keys);
    if (isOpen) listener().onStatusChange?.(status);
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
  };
};

const streams = new Map<string, ActionStream>();

/** Listens to the page's stream of an endpoint and a viewer; returns an unsubscribe function. */
export const listenToActions = (keys: EmbedKeyOptions, listener: ActionListener): (() => void) => {
  const { endpoint = defaultEndpoint, viewerKey = '' } = keys;
  const id = JSON.stringify([endpoint, viewerKey]);
  const stream = streams.get(id) ?? createActionStream(endpoint);
  streams.set(id, stream);
  return stream(keys, listener);
};
