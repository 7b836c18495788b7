import type { ActionsConnection } from '../options/mountedActions.ts';

const highWaterMarkBytes = 65_536;

/** Connects an accepted action stream to a web-standard response. */
export const streamActions = (
  open: (connection: ActionsConnection) => Promise<void>,
  signal: AbortSignal,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const encoder = new TextEncoder();
    const drained: (() => void)[] = [];
    const closed: (() => void)[] = [];
    let isOpen = true;
    const close = () => {
      if (!isOpen) return;
      isOpen = false;
      signal.removeEventListener('abort', close);
      for (const listener of closed) listener();
    };
    signal.addEventListener('abort', close);
    let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          sink = controller;
        },
        pull: () => {
          for (const listener of drained) listener();
        },
        cancel: close,
      },
      new ByteLengthQueuingStrategy({ highWaterMark: highWaterMarkBytes }),
    );
    const opening = open({
      start: (status, headers) => resolve(new Response(body, { status, headers: { ...headers } })),
      write: (text) => {
        if (!isOpen || sink === undefined) return false;
        sink.enqueue(encoder.encode(text));
        return (sink.desiredSize ?? 0) > 0;
      },
      onDrain: (listener) => void drained.push(listener),
      onClose: (listener) => void closed.push(listener),
      end: () => {
        if (!isOpen) return;
        sink?.close();
        close();
      },
    });
    opening.catch(reject);
  });
