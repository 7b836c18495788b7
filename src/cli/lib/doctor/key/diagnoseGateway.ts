import { mintHint, type PortalError } from '@vitrine/portal-client';
import type { Finding, Patient } from './diagnose.ts';
import { keyAdvice, permissionAdvice } from './diagnoseRefusal.ts';

const gatewayAdvice: Readonly<Record<number, string>> = {
  401: 'A gateway in front of the portal asks for a sign-in. Check VITRINE_API_BASE_URL, and ask whoever runs the gateway to let this machine pass.',
  403: 'A firewall or gateway in front of the portal blocks this machine. Ask whoever runs it to allow its IP address.',
  404: 'Check VITRINE_API_BASE_URL: something answers there, but it is not the portal API. Compare host and path with the portal.',
  407: 'A proxy wants a user name and password: write them into HTTPS_PROXY as http://user:password@host:port.',
  500: 'The portal failed; nothing in this configuration is known to be wrong. Try again later, then contact whoever runs the portal.',
  502: 'A gateway answers, but it cannot reach the portal behind it. Try again later, then contact whoever runs the portal.',
  503: 'The portal is down or in maintenance. Try again later, then contact whoever runs the portal.',
  504: 'A gateway answers, but the portal behind it is too slow. Try again later, then contact whoever runs the portal.',
};

const adviceOn = (error: PortalError): string | undefined => {
  const { kind, status = 0, code, retryAfterMs } = error;
  const wait = retryAfterMs === undefined ? 'a minute' : `${Math.ceil(retryAfterMs / 1000)} s`;
  if (kind === 'rate_limited')
    return `The portal limits requests. Wait ${wait} and run the doctor again; if it stays, ask whoever runs the portal for a higher limit.`;
  if (status === 503 && retryAfterMs !== undefined)
    return `The portal is down or in maintenance. It asks to wait ${wait}; run the doctor again after that.`;
  if (kind === 'timeout' && error.stats?.proxy === undefined)
    return 'Check that the portal runs and that a firewall lets this machine connect to it. Where only a proxy reaches the outside, set HTTPS_PROXY.';
  if (code === 'ECONNREFUSED' && error.stats?.proxy === undefined)
    return 'Nothing listens there. Check that the portal runs, and compare host and port of VITRINE_API_BASE_URL.';
  if (code?.startsWith('HPE_'))
    return 'What answers there does not speak HTTP. Compare the port of VITRINE_API_BASE_URL.';
  if (code === 'too_large')
    return 'Check VITRINE_API_BASE_URL: what answers there sends far more than a key, so it is not the portal API.';
  if (status >= 300 && status < 400)
    return 'Set VITRINE_API_BASE_URL to the address that the portal API really has: redirects are not followed, because they would carry the secrets elsewhere.';
  if (status >= 200 && status < 300) {
    if (code === 'no_key' && error.stats?.body === 'envelope')
      return 'The portal agreed but sent no usable key. Compare the versions of the portal and of Vitrine, and contact whoever runs the portal.';
    return error.stats?.body === 'html'
      ? 'A web page answers in place of the portal API, such as a sign-in page. Check VITRINE_API_BASE_URL.'
      : 'Check VITRINE_API_BASE_URL: what answers there is not the portal API.';
  }
  return status >= 500 ? (gatewayAdvice[status] ?? gatewayAdvice[500]) : gatewayAdvice[status];
};

/** What the answer of something other than the portal means, or that there was none. */
export const diagnoseGateway = (error: PortalError, { connection }: Patient): Finding => {
  const detail = error.message;
  // Portals and gateways alike answer 401 and 403 with nothing or with bare JSON; a web page is a gateway's.
  if (error.stats?.body === 'empty' || error.stats?.body === 'json') {
    if (error.status === 401)
      return {
        check: 'api_key',
        detail,
        next: `${keyAdvice(connection)} If it is right, a gateway in front of the portal may ask for a sign-in: let this machine pass there.`,
      };
    if (error.status === 403)
      return {
        check: 'permissions',
        detail,
        next: `${permissionAdvice(error)} If it has them, a firewall or gateway in front of the portal may block this machine: allow its IP address there.`,
      };
  }
  const next = adviceOn(error) ?? mintHint(error) ?? 'Check apiBaseUrl, and try again later.';
  return { check: 'api', detail, next: next.replaceAll('apiBaseUrl', 'VITRINE_API_BASE_URL') };
};
