import { onTestFinished } from 'vitest';

/** One event of a stream as a browser sees it. */
export interface SeenEvent {
  readonly id: string;
  readonly name: string;
  readonly data: any;
}

/** Opens `GET …/actions` and reads it event by event. */
export const openStream = async (url: string, headers: Record<string, string> = {}, signal?: AbortSignal) => {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const signals = signal === undefined ? [stop.signal] : [stop.signal, signal];
  const response = await fetch(url, { headers, signal: AbortSignal.any(signals) });
  const events: SeenEvent[] = [];
  let lastId = '';
  let beats = 0;
  let hasEnded = false;
  const waiters = new Set<() => void>();
  const wake = (): void => {
    for (const waiter of waiters) waiter();
    waiters.clear();
  };
  const take = (block: string): void => {
    const fields = block.split('\n').map((line) => line.split(/:\s?(.*)/s) as [string, string]);
    const field = (name: string) => fields.find(([key]) => key === name)?.[1];
    lastId = field('id') ?? lastId;
    if (block.startsWith(':')) beats += 1;
    const data = field('data');
    if (data !== undefined)
      events.push({ id: lastId, name: field('event') ?? 'message', data: JSON.parse(data) });
  };
  const read = async (): Promise<void> => {
    let text = '';
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        blocks.forEach(take);
        wake();
      }
    } catch {
      // Closed by the test.
    }
    hasEnded = true;
    wake();
  };
  if (response.body) void read();
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await new Promise<void>((resolve) => waiters.add(resolve));
  };
  return {
    response,
    events,
    get beats() {
      return beats;
    },
    get lastId() {
      return lastId;
    },
    actions: () => events.filter(({ name }) => name === 'action').map(({ data }) => data),
    /** Resolves when that many actions have arrived. */
    untilActions: (count: number) =>
      until(() => events.filter(({ name }) => name === 'action').length >= count),
    untilHello: () => until(() => events.some(({ name }) => name === 'hello')),
    untilBeat: () => until(() => beats > 0),
    untilEnd: () => until(() => hasEnded),
    close: () => stop.abort(),
  };
};
