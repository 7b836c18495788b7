import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { clickBody } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

describe('effects that must happen once', () => {
  it('run once however often the handler runs, and later attempts receive the stored result', async () => {
    const effects: string[] = [];
    const results: unknown[] = [];
    const { deliver, states } = startDispatch(async (_, { attempt, once }) => {
      const result = await once('order', ({ idempotencyKey }) => {
        effects.push(idempotencyKey);
        return { order: 17 };
      });
      results.push(result);
      if (attempt < 4) throw new Error('after the effect');
    });
    await deliver(clickBody());
    await settled(states);
    expect(effects).toEqual(['1:order']);
    expect(results).toEqual([{ order: 17 }, { order: 17 }, { order: 17 }, { order: 17 }]);
  });
});

describe('duplicates and double clicks', () => {
  const count = sized(300, 10_000);

  it('delivers both of two clicks that are a millisecond apart', async () => {
    let handled = 0;
    const { deliver, states } = startDispatch(({ flags }) => {
      expect(flags).not.toContain('duplicate');
      handled += 1;
    });
    const at = (n: number) => new Date(1_790_000_000_000 + n).toISOString();
    await Promise.all(
      Array.from({ length: count }, (_, n) => deliver(clickBody({ actionTriggeredAt: at(n) }))),
    );
    await settled(states);
    expect(handled).toBe(count);
  });

  it('stores, flags and delivers identical bytes, or skips them with duplicates: skip', async () => {
    for (const duplicates of ['deliver', 'skip'] as const) {
      let flagged = 0;
      let handled = 0;
      const { deliver, states } = startDispatch(
        ({ flags, duplicateOf }) => {
          handled += 1;
          if (flags.includes('duplicate') && duplicateOf === '1') flagged += 1;
        },
        { duplicates },
      );
      await Promise.all(Array.from({ length: count }, () => deliver(clickBody())));
      await settled(states);
      expect(await states()).toMatchObject({ done: count });
      expect([handled, flagged]).toEqual(duplicates === 'deliver' ? [count, count - 1] : [1, 0]);
    }
  });
});
