import { checkWebUrl } from '@vitrine/contract';
import { parsePortalConnection } from '../embedding/parsePortalConnection.ts';
import type { PortalConnection } from '../embedding/portalConnection.ts';
import type { CallStats } from '../errors/callStats.ts';
import { checkOptions, longestTimerMs, type OptionNames, optionError } from '../errors/checkOptions.ts';
import { PortalError } from '../errors/portalError.ts';
import { createUpstream, type Upstream } from '../http/upstream.ts';
import type { Adapt } from '../responses/success.ts';
import { Secret } from '../secret.ts';
import type { ApiKey, PortalClientOptions } from './portalClientOptions.ts';

/** Checked options; inner functions trust them. */
export interface ParsedClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Returns the key's text for one request. */
  readonly apiKey: (signal: AbortSignal) => Promise<string>;
  /** Undefined without the option `embedding`. */
  readonly embedding: PortalConnection | undefined;
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  /** Deadline of a key. */
  readonly keyTimeoutMs: number;
  readonly attemptTimeoutMs: number;
  readonly maxRetries: number;
  readonly requestsPerSecond: number | undefined;
  readonly maxResponseBytes: number;
  readonly pageSize: number;
  readonly firstPage: 0 | 1;
  readonly headers: Readonly<Record<string, string>>;
  readonly onAttempt: ((stats: CallStats) => void) | undefined;
  readonly adapt: Adapt | undefined;
  /** Its `close` closes only connections of the client itself. */
  readonly upstream: Upstream;
}

const rules: OptionNames<PortalClientOptions> = {
  baseUrl: true,
  apiKey: true,
  embedding: true,
  readOnly: { kind: 'boolean' },
  timeoutMs: { kind: 'whole', min: 1, max: longestTimerMs },
  attemptTimeoutMs: { kind: 'whole', min: 1, max: longestTimerMs },
  maxRetries: { kind: 'whole', min: 0, max: 10 },
  concurrency: { kind: 'whole', min: 1, max: 4096 },
  requestsPerSecond: { kind: 'number', min: 0.001 },
  maxResponseBytes: { kind: 'whole', min: 1 },
  pageSize: { kind: 'whole', min: 1, max: 100_000 },
  firstPage: { kind: 'choice', values: [0, 1] },
  headers: true,
  onAttempt: { kind: 'function' },
  adapt: { kind: 'function', expected: 'a function of a response' },
  dispatcher: true,
  tls: true,
  env: true,
};

/** Checks the options of a client. Throws a {@link PortalError} of kind `config` that names the option. */
export const parseClientOptions = (options: PortalClientOptions): ParsedClientOptions => {
  checkOptions('createPortalClient', options, rules);
  const embedding = options.embedding && parsePortalConnection(options.embedding);
  const baseUrl = parseBaseUrl(options.baseUrl ?? embedding?.baseUrl);
  const { timeoutMs } = options;
  return {
    baseUrl,
    embedding,
    apiKey: parseApiKey(options.apiKey ?? embedding?.apiKey[0]),
    readOnly: options.readOnly ?? false,
    timeoutMs: timeoutMs ?? 30_000,
    keyTimeoutMs: timeoutMs ?? 9000,
    attemptTimeoutMs: options.attemptTimeoutMs ?? 10_000,
    maxRetries: options.maxRetries ?? 2,
    requestsPerSecond: options.requestsPerSecond,
    maxResponseBytes: options.maxResponseBytes ?? 16 * 1024 * 1024,
    pageSize: options.pageSize ?? 200,
    firstPage: options.firstPage ?? 1,
    headers: parseHeaders(options.headers ?? {}),
    onAttempt: options.onAttempt,
    adapt: options.adapt,
    upstream: createUpstream({
      addresses: [baseUrl, ...(embedding ? [embedding.apiBaseUrl] : [])],
      connections: options.concurrency ?? 16,
      dispatcher: options.dispatcher,
      tls: options.tls,
      env: options.env ?? process.env,
    }),
  };
};

const parseBaseUrl = (value: string | undefined): string => {
  const reason = checkWebUrl(value);
  if (reason !== undefined || value === undefined)
    throw optionError(
      'baseUrl',
      `${reason}. Pass the address of the portal, such as https://api.example.com`,
    );
  return new URL(value).href.replace(/\/+$/, '');
};

const parseApiKey = (apiKey: ApiKey | undefined): ((signal: AbortSignal) => Promise<string>) => {
  if (typeof apiKey === 'function')
    return async (signal) => {
      let key: unknown;
      try {
        key = await apiKey(signal);
      } catch {
        // The caller's error may contain anything, even the key, so it is not included.
        throw new PortalError(
          'The apiKey function failed, so nothing was sent. Check that function; its error is not shown here.',
          { kind: 'config', code: 'api_key_function_failed' },
        );
      }
      return checkApiKey(key);
    };
  const text = checkApiKey(apiKey);
  return () => Promise.resolve(text);
};

const checkApiKey = (value: unknown): string => {
  const text = value instanceof Secret ? value.reveal() : value;
  if (typeof text !== 'string' || text.trim() === '')
    throw optionError(
      'apiKey',
      'it is missing or empty. Pass the Tenant API Key, or a function that fetches it',
    );
  if (!/^[\x21-\x7e]+$/.test(text))
    throw optionError(
      'apiKey',
      'it contains a space, a line break or a non-ASCII character. Check that you copied only the key',
    );
  return text;
};

const parseHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const parsed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      throw optionError('headers', 'a name is not a valid HTTP header name');
    if (name.toLowerCase() === 'authorization')
      throw optionError('headers', 'it sets authorization, which apiKey sets');
    if (!/^[\t\x20-\x7e]*$/.test(value))
      throw optionError('headers', `the value of ${name} contains a line break or a non-ASCII character`);
    parsed[name.toLowerCase()] = value;
  }
  return parsed;
};
