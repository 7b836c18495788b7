/**
 * Headers of a stream, for proxies: `no-transform` prevents buffering by compression, `x-accel-buffering` turns off the
 * buffer of nginx and compatible proxies.
 */
export const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
} as const;

/** Formats an event: its position, its name and plain JSON, which has no line breaks. */
export const formatEvent = (cursor: number, name: string, data: unknown): string =>
  `id: ${cursor}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Formats a heartbeat. With a cursor, it also advances the browser's `Last-Event-ID`, so that a later replay is short.
 */
export const formatHeartbeat = (cursor: number | undefined): string =>
  cursor === undefined ? ':\n\n' : `:\nid: ${cursor}\n\n`;

/** Parses `Last-Event-ID`; undefined if it is not one of our cursors. */
export const parseCursor = (text: string | null | undefined): number | undefined =>
  /^\d{1,15}$/.test(text ?? '') ? Number(text) : undefined;
