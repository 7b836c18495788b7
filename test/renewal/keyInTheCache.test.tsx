import { QueryClient } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, embedKeyOptions } from '@vitrine/react';
import { describe, expect, it } from 'vitest';
import { createTestPage, frames, settle } from '../support/domReport.tsx';

/** A page whose host has stored a key in the cache. */
const arrive = async (ageMs: number | undefined, more: object = {}) => {
  const { backend, provider } = createTestPage();
  const queryClient = new QueryClient();
  const key = { itemId: 1042, key: 'own', tenantUrl: 'https://acme.example', lifetimeMs: 3_600_000 };
  const requestedAt = ageMs === undefined ? undefined : Date.now() - ageMs;
  // What a plain JavaScript host may leave out.
  queryClient.setQueryData(embedKeyOptions(1042, provider).queryKey, {
    ...key,
    requestedAt,
    expiresAt: '',
    ...more,
  } as never);
  render(
    <EmbedProvider {...provider} queryClient={queryClient}>
      <EmbeddedReport itemId={1042} />
    </EmbedProvider>,
  );
  await settle();
  return { keys: backend.requests.length, addresses: frames().map(({ src }) => src) };
};

describe('a key that the host stored in the cache', () => {
  it('is used if it was requested within its lifetime', async () => {
    expect(await arrive(600_000)).toEqual({
      keys: 0,
      addresses: ['https://acme.example/report/1042?ev=own'],
    });
  });

  it.each([{ key: '' }, { tenantUrl: null }, { tenantUrl: 'javascript:alert(1)' }])(
    'is ignored if it is invalid: %j',
    async (more) => {
      const { keys, addresses } = await arrive(600_000, more);
      expect(keys).toBe(1);
      expect(addresses).toEqual(['https://acme.example/report/1042?ev=key%2B1']);
    },
  );

  it.each([
    ['has expired', 3_700_000],
    ['has no request time', undefined],
  ])('is replaced if it %s', async (_, ageMs) => {
    const { keys, addresses } = await arrive(ageMs);
    expect(keys).toBe(1);
    expect(addresses).toEqual(['https://acme.example/report/1042?ev=key%2B1']);
  });
});
