import { actionsPath, defaultEndpoint, type ReportAction, requestMarkerHeader } from '@vitrine/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { ActionFilter, ActionListener, ActionStream, ActionStreamStatus } from './actionSubscription.ts';
import { backoffMs, maxBackgroundDelayMs, maxForegroundDelayMs } from './backoff.ts';
import { development } from './errors.ts';
import type { EmbedKeyOptions } from './keyOptions.ts';
import { callBackend, isProblem, readRetryAfterMs } from './keyQuery.ts';
import type { ClockTask } from './keyTime.ts';
import { clock, streams } from './page.ts';
import { notifyHost } from './report.ts';

const isSameReport = (action: ReportAction, { itemId, reportId }: ActionFilter): boolean => {
  if (itemId === undefined && reportId === undefined) return true;
  // Webhooks identify a report by GUID, pages by number; the backend adds the number if it knows it.
  if (itemId !== undefined && (action.itemId === itemId || action.reportId === String(itemId))) return true;
  return reportId !== undefined && action.reportId.toLowerCase() === reportId.toLowerCase();
};

/** Longest wait for the first event: a backend sends it at once, but a proxy that buffers keeps it. */
const firstEventMs = 4_000;
/** The backend's default, until its first event tells another. */
const defaultHeartbeatMs = 15_000;
/** After this many missed heartbeats, the connection counts as dead. */
const maxMissedHeartbeats = 2.5;
/** How long the stream stays open without listeners, so that a route change does not reopen it. */
const lingerMs = 1_000;

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
  /** When the pause ends, unless the viewer returns before. */
  let connectAt = 0;
  /** The backend itself responds that it has no such route. */
  let hasNoRoute = false;
  /** Position of the last event. Without one, the backend sends only new actions. */
  let position: number | undefined;
  let heartbeatMs = defaultHeartbeatMs;
  let failures = 0;
  let heardAt = 0;
  /** Events of this connection. A proxy may pass the first one on, the greeting, and buffer the rest. */
  let eventCount = 0;
  let closeAt = 0;
  let stopChecks: (() => void) | undefined;

  const setStatus = (next: ActionStreamStatus) => {
    if (next === status) return;
    status = next;
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
    if (event === 'hello') {
      heartbeatMs = Math.max(1_000, Number(value.heartbeatMs) || defaultHeartbeatMs);
      clock.scheduleCheck();
    }
    // An action at or before the position has been delivered.
    if (event === 'action' && !(Number(id) <= after)) deliver(value);
  };

  const request = (signal: AbortSignal) =>
    callBackend(newestKeys, actionsPath, {
      headers: {
        accept: 'text/event-stream',
        [requestMarkerHeader]: 'automatic',
        ...(position !== undefined && { 'last-event-id': String(position) }),
      },
      cache: 'no-store',
      signal,
    });

  const read = async (body: ReadableStream<Uint8Array<ArrayBuffer>>, signal: AbortSignal) => {
    let before = -Infinity;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
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
      if (eventCount > 1 || status !== 'buffered') setStatus('open');
      failures = 0;
      parser.feed(value);
    }
  };

  const disconnect = () => {
    connection?.abort();
    connection = undefined;
  };

  const connect = async () => {
    connection = new AbortController();
    const { signal } = connection;
    heardAt = clock.now();
    connectAt = eventCount = 0;
    failures += 1;
    let ending: ActionStreamStatus = 'retrying';
    let retryAfterMs = 0;
    try {
      const response = await request(signal);
      const { body, status: code } = response;
      if (isEventStream(response) && body) await read(body, signal);
      else {
        hasNoRoute = code === 404 && isProblem(response);
        if (code < 500 && code !== 429) ending = 'refused';
        retryAfterMs = Math.min(readRetryAfterMs(response), maxBackgroundDelayMs);
      }
    } catch {
      // Whatever the cause, reconnect after a pause.
    }
    if (signal.aborted) return;
    disconnect();
    setStatus(ending);
    const pauseMs = backoffMs(failures, maxForegroundDelayMs, Math.random());
    connectAt = clock.now() + Math.max(pauseMs, retryAfterMs);
    clock.scheduleCheck();
  };

  const close = () => {
    stopChecks?.();
    stopChecks = undefined;
    disconnect();
    setStatus('closed');
    // A later listener gets only new actions.
    position = undefined;
  };

  const check: ClockTask = (now, isWake) => {
    if (!listeners.size && now >= closeAt) close();
    if (!stopChecks) return [];
    if (clock.isPageHidden()) {
      disconnect();
      setStatus('closed');
      return [closeAt];
    }
    if (status === 'closed') setStatus('connecting');
    const firstEventAt = heardAt + firstEventMs;
    const silentAt = heardAt + heartbeatMs * maxMissedHeartbeats;
    const isSilent = now >= silentAt;
    // After a suspension, silence says nothing about a proxy.
    const isBuffered = !isWake && (eventCount ? eventCount === 1 && isSilent : now >= firstEventAt);
    if (connection && isBuffered) setStatus('buffered');
    if (isSilent) disconnect();
    // A returning viewer need not wait, and may have signed in elsewhere.
    if (!connection && !hasNoRoute && (isWake || now >= connectAt)) void connect();
    // A connection that starts now is heard first.
    return [closeAt, connectAt, heardAt + firstEventMs, silentAt];
  };

  const listen: ActionStream['listen'] = (keys, listener) => {
    newestKeys = keys;
    listeners.set(listener, keys);
    if (stopChecks) listener().onStatusChange?.(status);
    else {
      hasNoRoute = false;
      connectAt = failures = 0;
      stopChecks = clock.subscribe(check);
    }
    return () => {
      listeners.delete(listener);
      newestKeys = [...listeners.values()].at(-1) ?? newestKeys;
      closeAt = clock.now() + lingerMs;
      clock.scheduleCheck();
    };
  };
  return { endpoint, getStatus: () => status, listen };
};

/** Listens to the page's stream of an endpoint and a viewer; returns an unsubscribe function. */
export const listenToActions = (keys: EmbedKeyOptions, listener: ActionListener): (() => void) => {
  const { endpoint = defaultEndpoint, viewerKey = '' } = keys;
  const id = JSON.stringify([endpoint, viewerKey]);
  const stream = streams.get(id) ?? createActionStream(endpoint);
  streams.set(id, stream);
  return stream.listen(keys, listener);
};
