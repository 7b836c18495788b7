import { checkWebUrl, isWebUrl } from '@vitrine/contract';
import { describe, expect, it } from 'vitest';

describe('checkWebUrl()', () => {
  it.each([
    'https://acme.example',
    'https://bi.example/acme',
    'http://localhost:4000',
    'http://acme.localhost:4000',
    'http://127.0.0.1:1',
    'http://[::1]:1',
    'http://acme.portal.test:4460',
  ])('accepts %s', (url) => {
    expect(checkWebUrl(url)).toBeUndefined();
    expect(isWebUrl(url)).toBe(true);
  });

  it.each([
    ['javascript:alert(1)', 'it is not an https address'],
    ['hidden:tail', 'it is not an https address'],
    ['data:text/html,x', 'it is not an https address'],
    ['https://user:hunter2@acme.example', 'it contains a user name or password'],
    [
      'http://acme.example',
      'it uses http on the host "acme.example", which is neither a loopback host nor under .test',
    ],
    [
      'http://portal.test.evil.example',
      'it uses http on the host "portal.test.evil.example", which is neither a loopback host nor under .test',
    ],
    [
      'http://127.0.0.1.evil.example',
      'it uses http on the host "127.0.0.1.evil.example", which is neither a loopback host nor under .test',
    ],
    ['https://acme.example/?x=1', 'it contains a query'],
    ['https://acme.example/#x', 'it contains a fragment'],
    ['acme.example', 'it is not an absolute URL'],
    ['', 'it is not an absolute URL'],
    [undefined, 'it is not a text'],
    [new URL('https://acme.example'), 'it is not a text'],
  ])('rejects %s', (url, reason) => {
    expect(checkWebUrl(url)).toBe(reason);
    expect(isWebUrl(url)).toBe(false);
  });
});
