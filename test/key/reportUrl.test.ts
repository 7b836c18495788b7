import { reportUrl } from '@vitrine/contract';
import { describe, expect, it } from 'vitest';

describe('the URL of an embedded report (docs/interface.md#4.7)', () => {
  it('is <tenant_url>/report/<itemId>?ev=<key> with the key percent-encoded', () => {
    expect(reportUrl('https://acme.example', 1042, 'a+b/c==')).toBe(
      'https://acme.example/report/1042?ev=a%2Bb%2Fc%3D%3D',
    );
  });

  it('accepts a tenant URL with a trailing slash or a path', () => {
    expect(reportUrl('https://acme.example/', 7, 'k')).toBe('https://acme.example/report/7?ev=k');
    expect(reportUrl('https://bi.example/acme//', 7, 'k')).toBe('https://bi.example/acme/report/7?ev=k');
  });
});
