import { type OperationName, serviceRoutes } from '@vitrine/contract/service';
import { type CallOptions, mayRepeat, runCall } from './call.ts';
import { type ClientSetup, parseHeaders } from './clientOptions.ts';
import { type CallStats, type CallWords, configError, PortalError } from './errors.ts';
import { type HttpResponse, sendOnce } from './http.ts';
import { callAdvice } from './keyAdvice.ts';
import type { PageQuery } from './paging.ts';
import { knownSecrets } from './secrets.ts';

/** What a call adds to its operation. */
export interface RowCall extends CallOptions {
  readonly ids?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** One call of an operation. */
interface ClientCall extends RowCall {
  readonly operation: OperationName;
  readonly query?: PageQuery;
  /** Default: the client's. */
  readonly maxRetries?: number;
}

/**
 * Sends every request of the administration API. `readOnly` rejects writes here, below every resource, so that no caller
 * can bypass it.
 */
export const createSend = (setup: ClientSetup): ((call: ClientCall) => Promise<HttpResponse>) => {
  const onEnd = (stats: CallStats) => {
    try {
      setup.onAttempt?.(stats);
    } catch {
      // An error of a listener must not fail a change that was made.
    }
  };
  const { add, mask, redact } = knownSecrets(
    setup.embedding && [...setup.embedding.apiKey, ...setup.embedding.passPhrase],
  );
  // Gateways have keys in headers of their own.
  for (const [name, value] of Object.entries(setup.headers))
    if (!/^(?:accept|content|user-agent)/i.test(name)) add(value);
  return async ({ operation, ids = {}, query = {}, body, headers = {}, ...call }) => {
    const { method } = serviceRoutes[operation];
    const path = fillPath(serviceRoutes[operation].path, ids);
    if (setup.readOnly && method !== 'GET')
      throw new PortalError(
        `${method} ${path} was not sent: this client is read-only. Remove {readOnly} to write.`,
        { kind: 'read_only', code: 'read_only' },
      );
    const words: CallWords = {
      label: `${method} ${path}`,
      purpose: 'the request',
      adviceOf: callAdvice,
      mask,
    };
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) params.set(name, String(value));
    const sent = {
      method,
      path,
      query: params.size === 0 ? '' : `?${params.toString()}`,
      headers: { ...setup.headers, ...parseHeaders(headers) },
      body: body === undefined ? null : JSON.stringify(body),
      words,
      onEnd,
    };
    return runCall({
      ...sent,
      signal: call.signal,
      timeoutMs: call.timeoutMs ?? setup.timeoutMs,
      maxRetries: call.maxRetries ?? setup.maxRetries,
      mayRepeat: (error) => mayRepeat(error, { isWrite: method !== 'GET' }),
      attempt: async (running) => {
        const apiKey = await setup.apiKey(running.signal);
        const authorization = `Bearer ${apiKey}`;
        add(apiKey);
        return sendOnce(setup, { ...sent, headers: { ...sent.headers, authorization }, redact }, running);
      },
    });
  };
};

/**
 * Fills the names of a path: every value becomes one percent-encoded segment. Rejects an empty value, `.` and `..`, which
 * would change the path.
 */
const fillPath = (path: string, values: Readonly<Record<string, string | number>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(values[name] ?? '');
    if (text === '' || text === '.' || text === '..')
      throw configError(
        'bad_identifier',
        `The ID is ${text === '' ? 'empty' : `"${text}", which no resource has`}. Pass the ID that the portal returned.`,
      );
    return encodeURIComponent(text.toWellFormed());
  });
