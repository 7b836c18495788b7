/**
 * Headers of a stream that survive what stands between: `no-transform` keeps compression from holding text back,
 * `x-accel-buffering` turns off the buffer of nginx and of those who copied it.
 */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

/** One event of a stream: its position, its name and plain JSON, which holds no line break. */
export const formatEvent = (cursor: number, name: string, data: unknown): string =>
  `id: ${cursor}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** Proof of life. With a cursor it also moves the browser's `Last-Event-ID` on, so that a later replay is short. */
export const formatHeartbeat = (cursor: number | undefined): string =>
  cursor === undefined ? ':\n\n' : `:\nid: ${cursor}\n\n`;

/** Reads `Last-Event-ID`; whatever is no cursor of ours counts as none. */
export const parseCursor = (text: string | null | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;
