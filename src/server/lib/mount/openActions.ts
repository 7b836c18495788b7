import type { ServerResponse } from 'node:http';
import type { HostResponse } from '../exchange/hostExchange.ts';
import { setHead } from '../http/writeResponse.ts';
import type { ActionsConnection } from '../options/mountedActions.ts';

/** Opens a stream on a connection, or says why not. */
export type ActionsOpening = Promise<HostResponse | ((connection: ActionsConnection) => Promise<void>)>;

/** A client that stops reading would otherwise keep an ended response and its buffer in memory. */
const drainTimeoutMs = 10_000;

const endSoon = (response: ServerResponse): void => {
  if (response.writableEnded) return;
  response.end();
  const cut = setTimeout(() => response.destroy(), drainTimeoutMs);
  cut.unref();
  response.once('close', () => clearTimeout(cut));
};

const connectionOf = (response: ServerResponse): ActionsConnection => ({
  start: (status, headers) => {
    setHead(response, status, headers);
    response.flushHeaders();
  },
  write: (text) => {
    // A time limit of the host may have ended it; writing would then emit an unhandled error.
    if (response.writableEnded) return false;
    // A middleware's `write` may return nothing. Taken for "full", it would stop the stream until a drain that never comes.
    const isAccepted: unknown = response.write(text);
    return isAccepted !== false && !response.writableNeedDrain;
  },
  onDrain: (listener) => void response.on('drain', listener),
  onClose: (listener) => void response.on('close', listener),
  end: () => endSoon(response),
});

/** Connects an accepted stream to a Node response. */
export const openActions = async (
  opening: ActionsOpening,
  response: ServerResponse,
  {
    send,
    onError,
    isGone,
  }: {
    send: (answer: HostResponse) => void;
    onError: (error: unknown) => void;
    isGone: () => boolean;
  },
): Promise<void> => {
  const opened = await opening;
  if (typeof opened !== 'function') return send(opened);
  if (isGone()) return;
  try {
    await opened(connectionOf(response));
  } catch (error) {
    // A hook of the host threw in `writeHead`, possibly while reporting that the stream failed.
    onError(error);
    response.destroy();
  }
};
