import { QueryClient } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import { embedKeyOptions } from '../../src/react/lib/keyQuery.ts';
import { getKeySession } from '../../src/react/lib/keySession.ts';
import { createVirtualBackend } from '../support/virtualBackend.ts';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';

const minute = 60_000;

const start = () => {
  const backend = createVirtualBackend();
  const environment = createVirtualEnvironment();
  const client = new QueryClient();
  onTestFinished(() => client.clear());
  const query = embedKeyOptions(1042, { fetch: backend.fetch });
  const session = getKeySession(client, query);
  const acquire = (isInDemand = true, retainedKey?: ReturnType<typeof session.peek>) => {
    const release = session.acquire({ query, keys: {}, isInDemand: () => isInDemand, retainedKey });
    onTestFinished(release);
    return release;
  };
  return { backend, environment, client, query, session, acquire, settle: () => environment.advance(0) };
};

it('is idle, then waits for a key, then has one, and is idle again', async () => {
  const { session, acquire, settle } = start();
  expect([session.isInUse(), session.getSnapshot().activeKey]).toEqual([false, undefined]);
  const release = acquire();
  expect([session.isInUse(), session.getSnapshot().activeKey]).toEqual([true, undefined]);
  await settle();
  expect(session.getSnapshot().activeKey).toBe(session.peek());
  expect(session.peek()).toBeDefined();
  release();
  await settle();
  expect([session.isInUse(), session.getSnapshot().activeKey]).toEqual([false, undefined]);
});

it('keeps its key while a report uses it', async () => {
  const { backend, session, acquire, settle } = start();
  const releaseFirst = acquire();
  await settle();
  const { activeKey } = session.getSnapshot();
  const releaseSecond = acquire();
  expect(session.getSnapshot().activeKey).toBe(activeKey);
  releaseFirst();
  await settle();
  expect(session.getSnapshot().activeKey).toBe(activeKey);
  // A move within the page: the last report leaves, and another comes in the same job.
  releaseSecond();
  acquire();
  await settle();
  expect(session.getSnapshot().activeKey).toBe(activeKey);
  expect(backend.requests).toHaveLength(1);
});

it('requests a key at once for a report that needs one, besides one that needs none', async () => {
  const { backend, acquire, settle } = start();
  acquire(false);
  await settle();
  expect(backend.requests).toHaveLength(0);
  acquire();
  await settle();
  expect(backend.requests).toHaveLength(1);
});

it('continues with the key of a report that was hidden', async () => {
  const { backend, environment, session, acquire, settle } = start();
  const release = acquire();
  await settle();
  const { activeKey } = session.getSnapshot();
  session.refresh();
  release();
  await environment.advance(minute);
  const before = backend.requests.length;
  acquire(true, activeKey);
  await environment.advance(minute);
  expect(session.getSnapshot().activeKey).toBe(activeKey);
  expect(backend.requests).toHaveLength(before);
});

it('requests a new key at once when told to', async () => {
  const { backend, environment, session, acquire, settle } = start();
  acquire();
  await environment.advance(minute);
  session.refresh();
  await settle();
  expect(backend.requests).toHaveLength(2);
});

it('reports a request without a response as a timeout', async () => {
  const { backend, environment, session, acquire } = start();
  backend.respond = () => new Promise(() => undefined);
  acquire();
  await environment.advance(10_000);
  expect(session.getSnapshot().error).toMatchObject({ code: 'backend_timeout' });
});

it('treats a request that the host canceled as none, and repeats it', async () => {
  const { backend, environment, client, session, acquire, settle } = start();
  backend.respond = () => new Promise(() => undefined);
  acquire();
  await settle();
  await client.cancelQueries();
  await settle();
  expect(session.getSnapshot()).toMatchObject({ activeKey: undefined, error: undefined });
  backend.respond = undefined;
  await environment.advance(1_000);
  expect(session.getSnapshot().activeKey).toBeDefined();
  expect(backend.requests).toHaveLength(2);
});

it.each([
  [59 * minute, true],
  [60 * minute, false],
])('uses a key from the cache, but none that has expired: after %i ms: %s', async (ageMs, isUsed) => {
  const { backend, environment, client, query, session, acquire, settle } = start();
  await client.prefetchQuery(query);
  environment.stepWall(ageMs);
  backend.respond = () => new Promise(() => undefined);
  acquire();
  await settle();
  expect(session.getSnapshot().activeKey !== undefined).toBe(isUsed);
});
