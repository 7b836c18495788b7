import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { embedKeyOptions } from '../../src/react/lib/keyQuery.ts';
import { getKeySession } from '../../src/react/lib/keySession.ts';
import { createVirtualBackend, problem } from '../support/virtualBackend.ts';
import { createVirtualEnvironment } from '../support/virtualEnvironment.ts';

const minute = 60_000;

/** What a session shows with the key of that number. */
const newKey = (number: number) => ({
  activeKey: expect.objectContaining({ src: expect.stringContaining(`key%2B${number}`) }),
  error: undefined,
});

/** A session whose last report has unmounted, and the expired key of a report that <Activity> kept. */
const startWithExpiredKey = async () => {
  const backend = createVirtualBackend();
  const environment = createVirtualEnvironment();
  const query = embedKeyOptions(1042, { fetch: backend.fetch });
  const session = getKeySession(new QueryClient(), query);
  const acquire = (retainedKey = session.getSnapshot().activeKey) =>
    session.acquire({ query, keys: {}, isInDemand: () => true, retainedKey });
  const hidden = acquire();
  await environment.advance(minute);
  const expiredKey = session.getSnapshot().activeKey;
  hidden();
  await environment.advance(70 * minute);
  const showHidden = async () => {
    onTestFinished(acquire(expiredKey));
    await environment.advance(1_100);
    return session.getSnapshot();
  };
  const readError = () => session.getSnapshot().error;
  return { backend, environment, acquire, readError, showHidden };
};

describe('a report that is shown again after its key expired', () => {
  it('gets a key within a second after another report got one and unmounted', async () => {
    const { environment, acquire, showHidden } = await startWithExpiredKey();
    const other = acquire();
    await environment.advance(1_000);
    other();
    await environment.advance(500);
    expect(await showHidden()).toEqual(newKey(3));
  });

  it('gets a key within a second after another report unmounted during its request', async () => {
    const { backend, environment, acquire, showHidden } = await startWithExpiredKey();
    backend.respond = () => new Promise(() => {});
    const other = acquire();
    await environment.advance(500);
    other();
    await environment.advance(500);
    backend.respond = undefined;
    expect(await showHidden()).toEqual(newKey(2));
  });

  it('gets a key within a second after another report failed and unmounted, without its error', async () => {
    const { backend, environment, acquire, readError, showHidden } = await startWithExpiredKey();
    backend.respond = () => problem(503, 'portal_unreachable');
    const other = acquire();
    await environment.advance(1_000);
    expect(readError()).toMatchObject({ code: 'portal_unreachable' });
    other();
    await environment.advance(500);
    expect(readError()).toBeUndefined();
    backend.respond = undefined;
    expect(await showHidden()).toEqual(newKey(2));
  });
});
