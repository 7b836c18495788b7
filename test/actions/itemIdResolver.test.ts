import { createItemIdResolver } from '@vitrine/express';
import { createItemResolver, type Item } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { otherReport, reportId } from './support/samples.ts';

/** An item as the portal lists it. */
const item = (id: number, guid: string): Item => ({ id, guid });

describe('finding the number of an item by its GUID', () => {
  it("asks the client's resolver, and remembers for a minute that an ID is unknown", async () => {
    let reads = 0;
    let now = 0;
    const items = [item(1, reportId)];
    const resolver = createItemResolver(async function* () {
      reads += 1;
      yield* items;
    });
    const itemIdOf = createItemIdResolver(resolver, { now: () => now });
    expect(await Promise.all([reportId, reportId.toUpperCase(), otherReport].map(itemIdOf))).toEqual([
      1,
      1,
      undefined,
    ]);
    items.push(item(2, otherReport));
    const readsBefore = reads;
    expect(await itemIdOf(otherReport)).toBeUndefined();
    expect(reads).toBe(readsBefore);
    now = 60_000;
    expect(await itemIdOf(otherReport)).toBe(2);
    expect(reads).toBe(readsBefore + 1);
  });

  it('looks again when the clock was set back, instead of not knowing for an hour', async () => {
    let now = 3_600_000;
    const items = [item(1, reportId)];
    const resolver = createItemResolver(async function* () {
      yield* items;
    });
    const itemIdOf = createItemIdResolver(resolver, { now: () => now });
    expect(await itemIdOf(otherReport)).toBeUndefined();
    items.push(item(2, otherReport));
    now = 0;
    expect(await itemIdOf(otherReport)).toBe(2);
  });

  it('never guesses: a failed list means that the item is unknown', async () => {
    const itemIdOf = createItemIdResolver({ toNumber: () => Promise.reject(new Error('portal is down')) });
    expect(await itemIdOf(reportId)).toBeUndefined();
  });
});
