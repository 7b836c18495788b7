import { setTimeout as sleep } from 'node:timers/promises';
import { createRedactor } from '../createRedactor.ts';
import type { CallWords } from '../errors/callError.ts';
import type { CallStats } from '../errors/callStats.ts';
import { PortalError } from '../errors/portalError.ts';
import {
  type HttpCall,
  type HttpResponse,
  type HttpTarget,
  mayRepeat,
  type RunningCall,
  runCall,
  type Send,
  sendOnce,
} from '../http/http.ts';
import { callAdvice } from '../responses/callAdvice.ts';
import type { ParsedClientOptions } from './parseClientOptions.ts';

/**
 * Sends every request of the administration API. `readOnly` rejects writes here, below every resource,
 * so that no caller can bypass it.
 */
export const createTransport = (options: ParsedClientOptions): Send => {
  const target: HttpTarget = options;
  const takeTurn = createSpacing(options.requestsPerSecond);

  const onEnd = (stats: CallStats) => {
    try {
      options.onAttempt?.(stats);
    } catch {
      // An error of a listener must not fail a change that was made.
    }
  };

  const attempt = async (call: HttpCall, running: RunningCall): Promise<HttpResponse> => {
    await takeTurn(running.signal);
    const apiKey = await options.apiKey(running.signal);
    return sendOnce(
      target,
      {
        path: call.path,
        method: call.method,
        query: queryOf(call),
        headers: { ...options.headers, authorization: `Bearer ${apiKey}` },
        body: call.body === undefined ? null : JSON.stringify(call.body),
        redact: createRedactor([apiKey]),
        words: wordsOf(call),
        onEnd,
      },
      running,
    );
  };

  return async (call) => {
    if (options.readOnly && call.method !== 'GET') throw readOnlyError(call);
    return runCall({
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? options.timeoutMs,
      maxRetries: call.maxRetries ?? options.maxRetries,
      mayRepeat: (error) => mayRepeat(error, { isWrite: call.method !== 'GET' }),
      described: { method: call.method, path: call.path },
      words: wordsOf(call),
      attempt: (running) => attempt(call, running),
    });
  };
};

/** Spaces requests evenly. */
const createSpacing = (perSecond: number | undefined): ((signal: AbortSignal) => Promise<void>) => {
  if (perSecond === undefined) return () => Promise.resolve();
  let nextMs = 0;
  return async (signal) => {
    const nowMs = performance.now();
    const startMs = Math.max(nowMs, nextMs);
    nextMs = startMs + 1000 / perSecond;
    await sleep(startMs - nowMs, undefined, { signal });
  };
};

const queryOf = ({ query = {} }: HttpCall): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return params.size === 0 ? '' : `?${params.toString()}`;
};

const wordsOf = ({ method, path }: HttpCall): CallWords => ({
  label: `${method} ${path}`,
  purpose: 'the request',
  adviceOf: callAdvice,
});

/** Wraps a transport so that it only allows reads. */
export const readsOnly =
  (send: Send): Send =>
  (call) =>
    call.method === 'GET' ? send(call) : Promise.reject(readOnlyError(call));

const readOnlyError = (call: HttpCall): PortalError =>
  new PortalError(
    `${call.method} ${call.path} was not sent: this client is read-only. Remove {readOnly} to write.`,
    { kind: 'read_only', code: 'read_only', request: { method: call.method, path: call.path } },
  );
