import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/actions/lib/inbox/sqlite/database.ts';
import { createDeliveryWriter } from '../../src/actions/lib/inbox/sqlite/deliveryWriter.ts';
import { runLength } from '../../src/actions/lib/inbox/sqlite/fingerprintRun.ts';

const windowMs = 1000;

/** A writer over a database that counts how often a row is looked up. */
const openWriter = () => {
  const database = openDatabase(':memory:', 1);
  onTestFinished(() => database.close());
  let lookUps = 0;
  const statement: typeof database.statement = (sql) => {
    const prepared = database.statement(sql);
    return new Proxy(prepared, {
      get(target, name) {
        if (name === 'get') lookUps += 1;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  };
  const writer = createDeliveryWriter({ ...database, statement }, windowMs);
  const write = (raw: Buffer, receivedAtMs: number) =>
    writer.insert({ raw, receivedAtMs, notes: null, spillKey: null })?.duplicateOf;
  const transaction = (work: () => void): void => {
    writer.begin();
    work();
    database.connection.exec('commit');
  };
  return { database, write, transaction, lookUps: () => lookUps };
};

describe('what the search for duplicates costs', () => {
  it('does not grow with equal bodies whose window has passed', () => {
    const { write, transaction, lookUps } = openWriter();
    const same = Buffer.from('{"canary":true}');
    transaction(() => {
      for (let n = 0; n < 3 * runLength; n += 1) write(same, 10_000);
    });
    const before = lookUps();
    transaction(() => {
      expect(write(same, 20_000)).toBe(null);
      expect(write(same, 20_001)).toBe(3 * runLength + 1);
    });
    expect(lookUps() - before).toBeLessThan(100);
  });

  it('does not grow in a process that stores and never prunes', () => {
    const { database, write, transaction } = openWriter();
    for (let run = 0; run < 5; run += 1)
      transaction(() => {
        for (let n = 0; n < runLength; n += 1) write(Buffer.from(`${run} ${n}`), 10_000 + run * 2 * windowMs);
      });
    const kept = database.connection.prepare('select count(*) as n from fingerprints').get();
    expect(kept?.['n']).toBeLessThanOrEqual(2);
    transaction(() => expect(write(Buffer.from('4 1'), 18_100)).not.toBe(null));
  });
});

it('duplicates are flagged although the clock was ahead for a moment meanwhile', () => {
  const { write, transaction } = openWriter();
  transaction(() => {
    write(Buffer.from('first'), 10_000);
    write(Buffer.from('ahead'), 10_000_000);
    for (let n = 0; n < 2 * runLength; n += 1) write(Buffer.from(String(n)), 10_100);
    expect(write(Buffer.from('first'), 10_200)).toBe(1);
  });
});
