import type { ReportAction } from '@vitrine/contract';
import { createVirtualBackend } from '../support/virtualBackend.ts';

/** One stream that a page has opened. */
interface OpenedStream {
  readonly headers: Headers;
  readonly signal: AbortSignal | null | undefined;
  send(text: string): void;
  /** Ends the stream, as a backend does to make the page reconnect. */
  end(): void;
}

/** An action in the format of the backend. */
export const sampleAction = (changes: Partial<ReportAction> = {}): ReportAction => ({
  id: '1',
  itemId: 1042,
  reportId: '5a0f3a54-6b5e-4a53-9a55-0d2f1e6c7b10',
  reportName: 'Sales by region',
  visual: 'sales-by-region',
  triggeredAt: '2026-11-20T08:00:00.000Z',
  isCleared: false,
  rows: [{ identity: [{ table: 'Sales', column: 'Region', value: 'North' }], values: [] }],
  ...changes,
});

/** A backend without a network that issues keys and holds action streams open. */
export const createStreamBackend = () => {
  const keys = createVirtualBackend();
  const streams: OpenedStream[] = [];
  /** The response instead of a stream, and the recorded requests. */
  const state: { refuse: (() => Response) | undefined; position: number; clamp: number } = {
    refuse: undefined,
    position: 100,
    clamp: Infinity,
  };
  const backend = {
    keys,
    streams,
    state,
    get openCount() {
      return streams.filter(({ signal }) => !signal?.aborted).length;
    },
    send(cursor: number, action: ReportAction): void {
      for (const stream of streams)
        if (!stream.signal?.aborted)
          stream.send(`id: ${cursor}\nevent: action\ndata: ${JSON.stringify(action)}\n\n`);
    },
    fetch: (async (input, init): Promise<Response> => {
      const url = input instanceof Request ? input.url : String(input);
      if (!url.endsWith('/actions')) return keys.fetch(input, init);
      const headers = new Headers(init?.headers);
      if (state.refuse) {
        streams.push({ headers, signal: init?.signal, send: () => undefined, end: () => undefined });
        return state.refuse();
      }
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const encoder = new TextEncoder();
      const send = (text: string): void => void writer.write(encoder.encode(text)).catch(() => undefined);
      const stop = (): void => void writer.abort().catch(() => undefined);
      init?.signal?.addEventListener('abort', stop);
      streams.push({
        headers,
        signal: init?.signal,
        send,
        end: () => void writer.close().catch(() => undefined),
      });
      const after = Number(headers.get('last-event-id') ?? state.position);
      const position = Math.min(after, state.clamp);
      send(`id: ${position}\nevent: hello\ndata: {"heartbeatMs":15000}\n\n`);
      return new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
    }) satisfies typeof fetch,
  };
  return backend;
};
