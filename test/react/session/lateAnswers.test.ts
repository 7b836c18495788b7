import { expect, it, onTestFinished } from 'vitest';
import { embedKeyOptions } from '../../../src/react/lib/keys/embedKeyOptions.ts';
import type { CachedKey } from '../../../src/react/lib/keys/keyRequestOptions.ts';
import { createKeySession } from '../../../src/react/lib/session/keySession.ts';
import { createVirtualEnvironment } from '../../support/virtualEnvironment.ts';

const key = (name: string, requestedAt: number): CachedKey => ({
  itemId: 1042,
  key: name,
  tenantUrl: 'https://acme.example',
  lifetimeMs: 3_600_000,
  expiresAt: '2026-01-01T01:00:00Z',
  requestedAt,
});

it('ignores the response to an aborted request, a key or a rejection', async () => {
  const environment = createVirtualEnvironment();
  const requests: PromiseWithResolvers<CachedKey>[] = [];
  // A cache that, unlike React Query's, still resolves requests that the session has dropped.
  const session = createKeySession({
    read: () => undefined,
    fetch: () => {
      const request = Promise.withResolvers<CachedKey>();
      requests.push(request);
      return request.promise;
    },
    remove: () => undefined,
  });
  const query = embedKeyOptions(1042);
  onTestFinished(session.acquire({ query, findDemand: () => 'renewed', retainedKey: undefined }));
  await environment.advance(45_000);
  const [first, second, third] = requests;
  expect(third).toBeDefined();
  first?.resolve(key('first', Date.now()));
  second?.reject(new Error('canceled'));
  await environment.advance(1);
  expect(session.getSnapshot().status).toBe('pending');
  // The session still waits for the newest request.
  requests.at(-1)?.resolve(key('last', Date.now()));
  await environment.advance(1);
  expect(session.getSnapshot().activeKey?.src).toContain('ev=last');
});
