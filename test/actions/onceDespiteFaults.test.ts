import { type ActionHandler, type ActionInbox, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it, vi } from 'vitest';
import { clickBody, secret } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

const open = () => sqliteInbox(':memory:', { thread: 'main' });

/** An inbox that cannot write the first three notes. */
const failingAtFirst = (inbox: ActionInbox, message: string) => {
  let notes = 0;
  const noteEffect: ActionInbox['noteEffect'] = (id, effect) => {
    notes += 1;
    return notes < 4 ? Promise.reject(new Error(message)) : inbox.noteEffect(id, effect);
  };
  return { inbox: { ...inbox, noteEffect }, notes: () => notes };
};

describe('an effect that must happen once', () => {
  it('does not run again while its note cannot be written', async () => {
    const inbox = open();
    let effects = 0;
    const failing = failingAtFirst(inbox, 'disk full');
    const results: unknown[] = [];
    const { deliver, states } = startDispatch(
      async (_, { once }) => {
        results.push(await once('order', () => ({ number: (effects += 1) })));
      },
      {},
      { inbox: failing.inbox },
    );
    await deliver(clickBody());
    await settled(states);
    expect([effects, failing.notes(), results]).toEqual([1, 4, [{ number: 1 }]]);
    expect(await inbox.effect('1', 'order')).toEqual({ value: { number: 1 } });
  });

  it('does not run in another process while its result cannot be stored', async () => {
    const inbox = open();
    let effects = 0;
    const failing = failingAtFirst(inbox, 'locked');
    const handler: ActionHandler = async (_, { once }) => {
      await once('order', () => void (effects += 1));
    };
    const { deliver, states } = startDispatch(handler, {}, { inbox: failing.inbox });
    await deliver(clickBody());
    await vi.waitFor(() => expect(effects).toBe(1));
    startDispatch(handler, { pollMs: 5 }, { inbox });
    await settled(states);
    expect([effects, failing.notes()]).toEqual([1, 4]);
  });

  it('does not run when its attempt is aborted during the lookup of its note', async () => {
    const inbox = open();
    const [asked, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: ActionInbox = {
      ...inbox,
      effect: async (id, key) => {
        asked.resolve();
        await goOn.promise;
        return inbox.effect(id, key);
      },
    };
    let effects = 0;
    const ended = Promise.withResolvers<unknown>();
    const { deliver, states, diagnostics } = startDispatch(
      async (_, { once }) => {
        const running = once('order', () => void (effects += 1));
        running.catch(ended.resolve);
        await running;
      },
      { timeoutMs: 20, maxAttempts: 1 },
      { inbox: slow },
    );
    await deliver(clickBody());
    await asked.promise;
    await settled(states);
    expect(diagnostics).toMatchObject([{ kind: 'dead' }]);
    goOn.resolve();
    expect(await ended.promise).toMatchObject({ message: expect.stringContaining('longer than 20 ms') });
    expect(effects).toBe(0);
  });
});

describe('a drain', () => {
  it('continues while deliveries arrive, and stores each of them', async () => {
    const { actions, inbox } = startDispatch(undefined, {}, { dispatch: false });
    const statuses: number[] = [];
    const post = async (): Promise<void> => {
      const { status } = await actions.receive({
        method: 'POST',
        header: (name) => (name === 'authorization' ? `Bearer ${secret}` : undefined),
        readBody: async () => ({ kind: 'read', bytes: Buffer.from(JSON.stringify(clickBody())) }),
      });
      statuses.push(status);
    };
    let stored = 0;
    const unwatch = inbox.watch(() => (stored += 1));
    const closing = actions.close(10_000);
    // Longer than the quiet time of a drain, in steps that are shorter than it.
    for (let n = 0; n < 8; n += 1) {
      await post();
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await closing;
    unwatch();
    expect(statuses).toEqual(Array.from({ length: 8 }, () => 202));
    expect(stored).toBe(8);
  });
});
