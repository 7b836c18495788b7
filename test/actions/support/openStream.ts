import { setTimeout as wait } from 'node:timers/promises';
import type { ReportAction } from '@vitrine/contract';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { onTestFinished } from 'vitest';

/** Opens `GET …/actions` and reads it event by event. */
export const openStream = async (url: string, headers: Record<string, string> = {}) => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(url, { headers, signal: stop.signal });
  const events: { id: string; name: string; data: unknown }[] = [];
  let lastId = '';
  let beats = 0;
  let hasEnded = false;
  const parser = new EventSourceParserStream({
    onId: (id) => {
      lastId = id;
    },
    onComment: () => {
      beats += 1;
    },
  });
  const read = async (body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    const messages = body.pipeThrough(new TextDecoderStream()).pipeThrough(parser);
    for await (const { event = 'message', data } of messages)
      events.push({ id: lastId, name: event, data: JSON.parse(data) });
  };
  const end = () => {
    hasEnded = true;
  };
  // It rejects when the test closes the stream.
  if (response.body) read(response.body).then(end, end);
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await wait(5);
  };
  const actions = () =>
    events.filter(({ name }) => name === 'action').map(({ data }) => data as ReportAction);
  return {
    response,
    events,
    get beats() {
      return beats;
    },
    get lastId() {
      return lastId;
    },
    actions,
    /** Resolves when that many actions have arrived. */
    untilActions: (count: number) => until(() => actions().length >= count),
    untilHello: () => until(() => events.some(({ name }) => name === 'hello')),
    untilBeat: () => until(() => beats > 0),
    untilEnd: () => until(() => hasEnded),
    close: () => stop.abort(),
  };
};
