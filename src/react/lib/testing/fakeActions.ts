import type { ReportAction } from '@vitrine/contract';

/** A stream of actions that a test writes. */
export interface FakeActions {
  /** The answer to `GET {endpoint}/actions`. */
  readonly open: (signal: AbortSignal | null | undefined) => Response;
  readonly send: (action: ReportAction) => void;
}

const event = (name: string, id: number, data: unknown) =>
  new TextEncoder().encode(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

/** Creates a {@link FakeActions}: what is sent reaches every page that listens, and those that begin to. */
export const createFakeActions = (): FakeActions => {
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const sent: ReportAction[] = [];
  return {
    open: (signal) => {
      let mine: ReadableStreamDefaultController<Uint8Array> | undefined;
      const leave = () => {
        if (mine) streams.delete(mine);
      };
      signal?.addEventListener('abort', leave);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          mine = controller;
          streams.add(controller);
          // No scope: a fake is never shared between tabs.
          controller.enqueue(event('hello', 0, { scope: '', heartbeatMs: 15_000 }));
          for (const [index, action] of sent.entries())
            controller.enqueue(event('action', index + 1, action));
        },
        cancel: leave,
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    send: (action) => {
      sent.push(action);
      for (const stream of streams) stream.enqueue(event('action', sent.length, action));
    },
  };
};
