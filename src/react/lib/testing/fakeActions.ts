import type { ReportAction } from '@vitrine/contract';

/** An action stream controlled by a test. */
export interface FakeActions {
  /** The body of the response to `GET {endpoint}/actions`. */
  readonly open: (signal: AbortSignal | null | undefined) => object;
  readonly send: (action: ReportAction) => void;
}

const event = (name: string, id: number, data: unknown) =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** The part of a text stream that the library uses. Jest's jsdom has no `ReadableStream`. */
const createFakeStream = (signal: AbortSignal | null | undefined) => {
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  signal?.addEventListener('abort', () => wake?.());
  const read = async () => {
    if (!waiting.length && !signal?.aborted) await new Promise<void>((resolve) => (wake = resolve));
    return signal?.aborted ? { done: true } : { done: false, value: waiting.shift() };
  };
  return {
    write: (text: string) => {
      waiting.push(text);
      wake?.();
    },
    body: { pipeThrough: () => ({ getReader: () => ({ read }) }) },
  };
};

/** Creates a {@link FakeActions}. An action without listeners is kept for the first one. */
export const createFakeActions = (): FakeActions => {
  const writers = new Set<(text: string) => void>();
  let early: readonly ReportAction[] = [];
  let position = 0;
  const send = (action: ReportAction) => {
    if (!writers.size) {
      early = [...early, action];
      return;
    }
    position += 1;
    for (const write of writers) write(event('action', position, action));
  };
  return {
    send,
    open: (signal) => {
      const { write, body } = createFakeStream(signal);
      writers.add(write);
      signal?.addEventListener('abort', () => writers.delete(write));
      write(event('hello', position, { heartbeatMs: 15_000 }));
      const actions = early;
      early = [];
      for (const action of actions) send(action);
      return body;
    },
  };
};
