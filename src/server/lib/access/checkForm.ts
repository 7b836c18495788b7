import type { HostExchange } from '../exchange/hostExchange.ts';
import { KeyRequestError } from '../keys/keyRequestError.ts';
import { checkMarker, checkSite } from './checkSite.ts';

const jsonType = /^application\/json\s*(;|$)/i;

/** Checks the method and headers of a key request, before `viewer` is called. */
export const checkForm = (exchange: HostExchange<unknown>, allowedOrigins: ReadonlySet<string>): void => {
  if (exchange.method !== 'POST')
    throw new KeyRequestError(
      { code: 'method_not_allowed', allow: 'POST', detail: 'Request keys with POST.' },
      { origin: 'request' },
    );
  const site = checkSite(exchange, allowedOrigins) ?? checkMarker(exchange);
  if (site !== undefined)
    throw new KeyRequestError(
      { code: 'cross_site_request', detail: `Request rejected: ${site.problem}.` },
      { origin: 'request', ...site },
    );
  if (!jsonType.test(exchange.header('content-type') ?? ''))
    throw new KeyRequestError(
      { code: 'unsupported_media_type', detail: 'The Content-Type must be application/json.' },
      { origin: 'request' },
    );
};
