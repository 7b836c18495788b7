import { expect, it } from 'vitest';
import { networkHint } from '../../../src/portal-client/lib/embedding/networkHint.ts';

it.each([
  ['CERT_HAS_EXPIRED', /certificate at apiBaseUrl has expired.*renew/],
  ['PROXY_CERT_HAS_EXPIRED', /certificate of the proxy .* has expired.*renew/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /no TLS version that is safe/],
  ['PROXY_407', /wants a user name and password, or rejects those it got/],
])('advises by the cause %s', (code, advice) => {
  const stats = { proxy: 'http://proxy.example:3128' } as never; // the only member that is read
  expect(
    networkHint({ kind: 'network', code, stats, message: '' }, { apiBaseUrl: 'https://api.example' }),
  ).toMatch(advice);
});
