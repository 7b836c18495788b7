import type { HostExchange } from '../exchange/hostExchange.ts';
import { KeyRequestError } from '../keys/keyRequestError.ts';
import { checkMarker, checkSite } from './checkSite.ts';

const jsonType = /^application\/json\s*(;|$)/i;

/** Rejects a key request by its method and headers, before anyone is asked who sent it. */
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
