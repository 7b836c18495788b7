import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { clickBody } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

describe('duplicates and double clicks', () => {
  const count = sized(300, 10_000);

  it('delivers both of two clicks that are a millisecond apart', async () => {
    let handled = 0;
    const { deliver, states } = startDispatch(({ duplicateOf }) => {
      expect(duplicateOf).toBeUndefined();
      handled += 1;
    });
    const at = (n: number) => new Date(1_790_000_000_000 + n).toISOString();
    await Promise.all(
      Array.from({ length: count }, (_, n) => deliver(clickBody({ actionTriggeredAt: at(n) }))),
    );
    await settled(states);
    expect(handled).toBe(count);
  });

  it('stores, flags and delivers identical bytes', async () => {
    let flagged = 0;
    let handled = 0;
    const { deliver, states } = startDispatch(({ duplicateOf }) => {
      handled += 1;
      if (duplicateOf === '1') flagged += 1;
    });
    await Promise.all(Array.from({ length: count }, () => deliver(clickBody())));
    await settled(states);
    expect(await states()).toMatchObject({ done: count });
    expect([handled, flagged]).toEqual([count, count - 1]);
  });
});
