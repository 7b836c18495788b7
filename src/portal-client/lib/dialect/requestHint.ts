import type { PortalErrorDetails, PortalErrorKind } from '../errors/portalError.ts';
import { redirects } from './refusal.ts';

const notTls = 'The server at baseUrl is not using TLS: use http:// in baseUrl, or another port.';

const byCode: Readonly<Record<string, string>> = {
  too_large: 'Request smaller pages, or raise maxResponseBytes.',
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  EPROTO: notTls,
  not_json: 'A proxy or a sign-in page may have responded: check baseUrl.',
};

const byKind: Readonly<Partial<Record<PortalErrorKind, string>>> = {
  network: 'Check baseUrl, DNS, TLS, the proxy and the network in between.',
  timeout: 'Raise timeoutMs, or check why the portal is slow.',
  invalid: 'Correct the fields named in validationErrors.',
  unauthorized: 'Check the API key: the portal does not accept it.',
  forbidden: 'Give the API key the permission this call needs.',
  not_found: 'Check the ID, the tenant and baseUrl.',
  conflict: 'The resource already exists, or its state does not allow this: read it again.',
  rate_limited: 'Send fewer requests, or set requestsPerSecond.',
  business: 'The portal itself refused this; a retry will not help.',
  server: 'The portal failed; try again later.',
};

/** Advice about a failed call of the administration API; part of every message. */
export const requestHint = ({ kind, code, stats }: PortalErrorDetails): string | undefined => {
  const status = stats?.status ?? 0;
  if (redirects.has(status)) return 'Redirects are not followed: set baseUrl to the final address.';
  if (kind === 'network' && stats?.proxy !== undefined)
    return `Check the proxy ${stats.proxy} from the environment, then baseUrl and TLS. List hosts that need no proxy in NO_PROXY.`;
  return (code === undefined ? undefined : byCode[code]) ?? byKind[kind];
};
