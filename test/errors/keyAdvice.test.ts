import { explain } from '@vitrine/contract/service';
import { expect, it } from 'vitest';
import { keyAdvice } from '../../src/portal-client/lib/keyAdvice.ts';

it.each([
  ['CERT_HAS_EXPIRED', /certificate at apiBaseUrl has expired.*renew.* through the proxy http/],
  ['CERT_NOT_YET_VALID', /certificate at apiBaseUrl is not valid yet: check the clock/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /does not offer TLS 1\.2/],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    /does not send its intermediate certificate, or its authority is not trusted/,
  ],
  ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', /offers only HTTP\/2/],
  // OpenSSL 3.5 writes the name of the alert with a slash.
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', /client certificate/],
  ['PROXY_407', /requires a user name and password, or rejects the ones it received/],
  ['PROXY_403', /proxy\.example:3128 does not connect to the host .*Allow the host/],
  ['PROXY_502', /proxy\.example:3128 cannot reach the host .*ask the operator of the proxy/],
  ['PROXY_503', /cannot reach the host/],
  ['PROXY_504', /cannot reach the host/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /apiBaseUrl is not using TLS.*through the proxy http/],
])('suggests a fix for the cause %s', (code, advice) => {
  const stats = { proxy: 'http://proxy.example:3128' } as never; // the only member that is read
  const failure = keyAdvice(
    { kind: 'network', code, stats },
    { apiBaseUrl: 'https://api.example', tenantIdHeader: 'Svc.TenantId' },
  );
  expect(explain(failure ?? { code: '' }, 'option').check).toMatch(advice);
});
