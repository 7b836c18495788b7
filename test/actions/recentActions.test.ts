import { type ActionInbox, sqliteInbox } from '@vitrine/actions';
import { describe, expect, it } from 'vitest';
import { cursorOf } from './support/log.ts';
import { clickBody } from './support/samples.ts';
import { startStream } from './support/startStream.ts';

/** A body whose action has about that many characters. */
const bodyOf = (name: string, characters: number) => {
  const body = clickBody({ currentUser: 7, reportName: name });
  const [point] = body.visualData[0]!.data;
  const points = Math.ceil(characters / 220);
  return { ...body, visualData: [{ visual: 'v', data: Array.from({ length: points }, () => point) }] };
};

/** Publishes actions to an open stream, then reconnects the same viewer; reports where the inbox was read again. */
const returnAfter = async (count: number, characters: number) => {
  const inbox = sqliteInbox(':memory:');
  const askedAfter: number[] = [];
  const since: ActionInbox['since'] = (after, limit) => {
    if (after !== undefined) askedAfter.push(after);
    return inbox.since(after, limit);
  };
  const { open } = await startStream({ inbox: { ...inbox, since } });
  const start = await cursorOf(inbox);
  const stream = await open('north@acme.example');
  for (let n = 0; n < count; n += 1) {
    const raw = Buffer.from(JSON.stringify(bodyOf(String(n), characters)));
    await inbox.append({ raw, receivedAtMs: Date.now() });
    await stream.untilActions(n + 1);
  }
  askedAfter.length = 0;
  const returned = await open('north@acme.example', { 'last-event-id': String(start) });
  await returned.untilActions(count);
  return { isReadAgain: askedAfter.includes(start), count: returned.actions().length };
};

describe('recent actions in memory', () => {
  it('are replayed to a browser that reconnects', async () => {
    expect(await returnAfter(12, 100)).toEqual({ isReadAgain: false, count: 12 });
  });

  it('are limited by bytes: a few large ones are read from the inbox again', async () => {
    expect(await returnAfter(12, 2 * 1024 * 1024)).toEqual({ isReadAgain: true, count: 12 });
  });
});
