import { documentationUrl } from '@vitrine/contract';
import { development, type EmbedError, type EmbedErrorFacts } from '../errors.ts';
import {
  type ErrorAdvice,
  errorAdvice,
  httpStatusAdvice,
  redirectedAdvice,
  requestFailedAdvice,
  statusAdvice,
} from './errorAdvice.ts';

/** Error messages of browsers and Node for a request that the network, CORS or a policy ended. */
const networkFailure = /^TypeError: (Failed to fetch|NetworkError|Load failed|fetch failed)/;

const unknownCodeAdvice: ErrorAdvice = {
  title: 'The backend sent a code that this version does not know.',
  cause: 'The backend is newer than @vitrine/react, or another service responds at the endpoint.',
  hint: 'Install the same version of both.',
};

const adviceByCode = new Map<string, ErrorAdvice>(Object.entries({ ...errorAdvice, ...statusAdvice }));

const findAdvice = (code: string, { cause, status }: EmbedErrorFacts): ErrorAdvice => {
  if (code === 'backend_unreachable' && cause instanceof Error && !networkFailure.test(cause.toString()))
    return requestFailedAdvice;
  // The key endpoint itself answers 401.
  if (code === 'signed_out' && status !== undefined && status !== 401) return redirectedAdvice;
  return adviceByCode.get(code) ?? (code.startsWith('http_') ? httpStatusAdvice : unknownCodeAdvice);
};

/** Browsers quote an invalid header value, which may be a token; a URL may have a secret in its query. */
const quoteCause = (cause: unknown) => {
  const text = String(cause);
  return /invalid.*value|value.*invalid/is.test(text) ? 'An invalid header value.' : text.split(/[?#]/)[0];
};

/** Describes an error for developers. Contains no key and no URL with a query. */
const describeError = (what: string, itemId: unknown, error: EmbedError): string => {
  const { code, message, hint, link, requestId, origin, cause } = error;
  return [
    `[vitrine] ${what}: ${message}`,
    `Code: ${code}${requestId ? `. Request ID, as in the log of the backend: ${requestId}` : ''}`,
    ...(cause !== undefined && code === 'backend_unreachable' ? [`Seen: ${quoteCause(cause)}`] : []),
    ...(origin ? [`Origin of the frame: ${origin}`] : []),
    ...(code === 'invalid_item_id' ? [`The type of itemId is ${typeof itemId}.`] : []),
    `Likely cause: ${findAdvice(code, error).cause}`,
    `What to do: ${hint}`,
    link,
  ].join('\n');
};

const streamLink = `${documentationUrl}/guides/troubleshooting.md#clicks-do-not-arrive`;

/** What else goes wrong around reports. */
const warnings: Readonly<Record<string, readonly string[]>> = {
  refused: [
    'The response to the request for /actions is not an action stream.',
    'Likely cause: The backend has no option `actions`, nobody is signed in, or the request does not reach the backend.',
    'What to do: Look at the response in the network panel. If it is HTML, proxy the endpoint to the backend. Otherwise set `actions`, and check that the request contains the session.',
    streamLink,
  ],
  buffered: [
    'Nothing arrives from the action stream, so no clicks do.',
    'Likely cause: A proxy collects the response, or compresses it.',
    'What to do: Turn off buffering and compression for /actions in the proxy.',
    streamLink,
  ],
  same_key: [
    'The response to a renewal is the same key as before, so the report expires although it is renewed.',
    'Likely cause: Something between this page and the portal caches the responses of the key route.',
    'What to do: Let service workers and proxies pass POST requests on, and do not cache keys in `fetch` or in the backend.',
  ],
  shared_key: [
    'Two providers with different `headers` share the key of a report, so both show what one of them was allowed to see.',
    'Likely cause: They stand for two viewers, roles or tenants, and `viewerKey` does not say so.',
    'What to do: Give each provider a `viewerKey`, or both the same `headers` function.',
  ],
};

/** Explains each cause once in the console, and gives errors their message and hint. */
export const helpDevelopers = (): void => {
  const told = new Set<string>();
  const logOnce = (level: 'error' | 'warn', cause: string, message: string): void => {
    if (!told.has(cause)) console[level](message);
    told.add(cause);
  };
  const warn = (topic: string): void => {
    const lines = warnings[topic];
    if (lines) logOnce('warn', topic, `[vitrine] ${lines.join('\n')}`);
  };
  Object.assign(development, {
    advise: (code, facts) => {
      const { title, hint } = findAdvice(code, facts);
      const anchor = code.startsWith('http_') ? 'http_status' : code;
      return { title, help: { hint, link: `${documentationUrl}/errors.md#${anchor}` } };
    },
    onReportError: (itemId, error, isShown) => {
      const level = isShown || error.code === 'offline' ? 'warn' : 'error';
      const place = error.code === 'invalid_item_id' ? String(itemId) : (error.origin ?? '');
      logOnce(level, `${error.code} ${place}`, describeError(`Report ${String(itemId)}`, itemId, error));
    },
    onListError: (error) =>
      logOnce('error', `list ${error.code}`, describeError('The list of reports', undefined, error)),
    warn,
    onLease: (leases) => {
      const [first, ...others] = [...leases].map(({ keys }) => keys);
      // With a viewerKey, the host says that they are one viewer.
      if (first?.viewerKey === undefined && others.some(({ headers }) => headers !== first?.headers))
        warn('shared_key');
    },
  } satisfies typeof development);
};
