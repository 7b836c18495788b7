import { checkWebUrl } from '@vitrine/contract';
import { describe, expect, it } from 'vitest';

describe('the address of a portal', () => {
  it.each([
    'https://acme.example',
    'https://bi.example/acme',
    'http://localhost:4000',
    'http://acme.localhost:4000',
    'http://127.0.0.1:1',
    'http://[::1]:1',
  ])('may be %s', (url) => {
    expect(checkWebUrl(url)).toBeUndefined();
  });

  it.each([
    ['javascript:alert(1)', 'its scheme is "javascript:"'],
    ['data:text/html,x', 'its scheme is "data:"'],
    ['https://user:hunter2@acme.example', 'it carries a user name or password'],
    ['http://acme.example', 'it uses http on the host "acme.example", which is not a loopback host'],
    [
      'http://127.0.0.1.evil.example',
      'it uses http on the host "127.0.0.1.evil.example", which is not a loopback host',
    ],
    ['https://acme.example/?x=1', 'it carries a query'],
    ['https://acme.example/#x', 'it carries a fragment'],
    ['acme.example', 'it is not an absolute URL'],
    ['', 'it is missing or empty'],
    [undefined, 'it is missing or empty'],
  ])('may not be %s', (url, reason) => {
    expect(checkWebUrl(url)).toBe(reason);
  });
});
