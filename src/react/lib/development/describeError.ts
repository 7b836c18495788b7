import { documentationUrl } from '@vitrine/contract';
import type { EmbedError } from '../errors/embedError.ts';
import { type ErrorAdvice, errorAdvice, httpStatusAdvice } from './errorAdvice.ts';

const advise = (code: string) => {
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

/** Codes whose cause is the host's own: its error, or the address in the answer of its backend. */
const tellingCauses = ['headers_failed', 'invalid_tenant_url'];

const withoutQuery = (url: string) => url.split(/[?#]/)[0];

/** What a developer should know about an error, as text. It holds no key and no address with a query. `url` was asked for the key. */
export const describeError = (itemId: unknown, error: EmbedError, url?: string): string => {
  const { code, requestId, origin, cause: seen } = error;
  const { title, cause, hint, anchor } = advise(code);
  return [
    `[vitrine] Report ${String(itemId)}: ${title}`,
    `Code: ${code}${requestId ? `. Request ID, as in the log of the backend: ${requestId}` : ''}`,
    ...(url && !code.startsWith('frame_') ? [`Request: POST ${withoutQuery(url)}`] : []),
    ...(tellingCauses.includes(code) ? [`Seen: ${withoutQuery(String(seen))}`] : []),
    ...(origin ? [`Tenant origin: ${origin}`] : []),
    ...(code === 'invalid_item_id' ? [`The type of itemId is ${typeof itemId}.`] : []),
    `Likely cause: ${cause}`,
    `What to do: ${hint}`,
    `${documentationUrl}/errors.md${anchor && `#${anchor}`}`,
  ].join('\n');
};
