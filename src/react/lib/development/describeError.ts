import { documentationUrl } from '@vitrine/contract';
import type { EmbedError } from '../errors/embedError.ts';
import { type ErrorAdvice, errorAdvice, httpStatusAdvice, requestFailedAdvice } from './errorAdvice.ts';

/** What browsers and Node call a request that the network, CORS or a policy has ended. */
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

/** Codes whose cause is told: the host's own error, the address in the answer of its backend, or what `fetch` says. */
const tellingCauses = ['headers_failed', 'invalid_tenant_url', 'backend_unreachable'];

const withoutQuery = (url: string) => url.split(/[?#]/)[0];

/** Browsers quote an invalid header value, which may be a token. */
const quoteCause = (cause: unknown) => {
  const text = String(cause);
  return /invalid.*value|value.*invalid/is.test(text) ? 'An invalid header value.' : withoutQuery(text);
};

/** What a developer should know about an error, as text. It holds no key and no address with a query. `url` was asked for the key. */
export const describeError = (itemId: unknown, error: EmbedError, url?: string): string => {
  const { code, requestId, origin, cause: seen } = error;
  const { title, cause, hint, anchor } = advise(error);
  return [
    `[vitrine] Report ${String(itemId)}: ${title}`,
    `Code: ${code}${requestId ? `. Request ID, as in the log of the backend: ${requestId}` : ''}`,
    ...(url && !code.startsWith('frame_') ? [`Request: POST ${withoutQuery(url)}`] : []),
    ...(seen !== undefined && tellingCauses.includes(code) ? [`Seen: ${quoteCause(seen)}`] : []),
    ...(origin ? [`Tenant origin: ${origin}`] : []),
    ...(code === 'invalid_item_id' ? [`The type of itemId is ${typeof itemId}.`] : []),
    `Likely cause: ${cause}`,
    `What to do: ${hint}`,
    `${documentationUrl}/errors.md${anchor && `#${anchor}`}`,
  ].join('\n');
};
