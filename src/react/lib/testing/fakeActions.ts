import type { ReportAction } from '@vitrine/contract';

/** An action stream that a test writes. */
export interface FakeActions {
  /** The answer to `GET {endpoint}/actions`. */
  readonly open: (signal: AbortSignal | null | undefined) => ReadableStream<Uint8Array>;
  readonly send: (action: ReportAction) => void;
}

const event = (name: string, id: number, data: unknown) =>
  new TextEncoder().encode(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

/** Creates a {@link FakeActions}. An action that is sent before any page listens waits for the first that does. */
export const createFakeActions = (): FakeActions => {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let waiting: readonly ReportAction[] = [];
  let position = 0;
  const write = (action: ReportAction) => {
    position += 1;
    for (const stream of streams) stream.enqueue(event('action', position, action));
  };
  return {
    open: (signal) => {
      let mine: ReadableStreamDefaultController<Uint8Array> | undefined;
      const leave = () => {
        if (mine) streams.delete(mine);
      };
      signal?.addEventListener('abort', leave);
      return new ReadableStream<Uint8Array>({
        start: (controller) => {
          mine = controller;
          streams.add(controller);
          // No scope: a fake is never shared between tabs.
          controller.enqueue(event('hello', position, { scope: '', heartbeatMs: 15_000 }));
          for (const action of waiting) write(action);
          waiting = [];
        },
        cancel: leave,
      });
    },
    send: (action) => {
      if (streams.size) write(action);
      else waiting = [...waiting, action];
    },
  };
};
