import type { AdviceCode, Failure } from '@vitrine/contract/service';
import type { PortalErrorDetails, PortalErrorKind } from '../errors/portalError.ts';
import { redirects } from './failure.ts';

const byCode: Readonly<Record<string, AdviceCode>> = {
  too_large: 'call_too_large',
  ERR_SSL_WRONG_VERSION_NUMBER: 'call_not_tls',
  EPROTO: 'call_not_tls',
  not_json: 'call_not_json',
};

const byKind: Readonly<Partial<Record<PortalErrorKind, AdviceCode>>> = {
  network: 'call_network',
  timeout: 'call_timeout',
  invalid: 'call_invalid',
  unauthorized: 'call_unauthorized',
  forbidden: 'call_forbidden',
  not_found: 'call_not_found',
  conflict: 'call_conflict',
  rate_limited: 'call_rate_limited',
  business: 'call_business',
  server: 'call_server',
};

/** Advice about a failed call of the administration API. */
export const callAdvice = ({ kind, code = '', stats }: PortalErrorDetails): Failure | undefined => {
  if (redirects.has(stats?.status ?? 0)) return { code: 'call_redirect' };
  if (kind === 'network' && stats?.proxy !== undefined) return { code: 'call_proxy', part: stats.proxy };
  const known = byCode[code] ?? byKind[kind];
  return known === undefined ? undefined : { code: known };
};
