import { documentationUrl } from '@vitrine/contract';
import type { EmbedError } from '../errors/embedError.ts';
import { type ErrorAdvice, errorAdvice, httpStatusAdvice, requestFailedAdvice } from './errorAdvice.ts';

/** Error messages of browsers and Node for a request that the network, CORS or a policy ended. */
const networkFailure = /^TypeError: (Failed to fetch|NetworkError|Load failed|fetch failed)/;

const advise = ({ code, cause }: EmbedError) => {
  if (code === 'backend_unreachable' && cause instanceof Error && !networkFailure.test(cause.toString()))
    return { ...requestFailedAdvice, anchor: code };
  const known = new Map<string, ErrorAdvice>(Object.entries(errorAdvice)).get(code);
  if (known) return { ...known, anchor: code };
  if (code.startsWith('http_')) return { ...httpStatusAdvice, anchor: 'http_status' };
  return {
    title: 'The backend sent a code that this version does not know.',
    cause: 'The backend is newer than @vitrine/react, or another service responds at the endpoint.',
    hint: 'Install the same version of both.',
    anchor: '',
  };
};

/** Codes whose cause is shown: the host's own error, the URL in the backend's response, or the error of `fetch`. */
const tellingCauses = ['headers_failed', 'invalid_tenant_url', 'backend_unreachable'];

const withoutQuery = (url: string) => url.split(/[?#]/)[0];

/** Browsers quote an invalid header value, which may be a token. */
const quoteCause = (cause: unknown) => {
  const text = String(cause);
  return /invalid.*value|value.*invalid/is.test(text) ? 'An invalid header value.' : withoutQuery(text);
};

/** Describes an error for developers. Contains no key and no URL with a query. `url` is the URL of the key request. */
export const describeError = (itemId: unknown, error: EmbedError, url?: string): string => {
  const { code, requestId, origin, cause: seen } = error;
  const { title, cause, hint, anchor } = advise(error);
  return [
    `[vitrine] Report ${String(itemId)}: ${title}`,
    `Code: ${code}${requestId ? `. Request ID, as in the log of the backend: ${requestId}` : ''}`,
    ...(url && !/^frame_|^key_expired$/.test(code) ? [`Request: POST ${withoutQuery(url)}`] : []),
    ...(seen !== undefined && tellingCauses.includes(code) ? [`Seen: ${quoteCause(seen)}`] : []),
    ...(origin ? [`Tenant origin: ${origin}`] : []),
    ...(code === 'invalid_item_id' ? [`The type of itemId is ${typeof itemId}.`] : []),
    `Likely cause: ${cause}`,
    `What to do: ${hint}`,
    `${documentationUrl}/errors.md${anchor && `#${anchor}`}`,
  ].join('\n');
};
