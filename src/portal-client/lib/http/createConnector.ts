import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

const interim = Buffer.from('HTTP/1.1 100');
const endOfHead = '\r\n\r\n';
const longestHeadBytes = 16_384;
const nothing: Buffer = Buffer.alloc(0);

/**
 * Takes every `100 Continue` out of what a socket reads before an answer. A server may send one unasked (RFC 9110, 15.2),
 * and undici ends the connection at it; any other interim answer it passes over by itself.
 */
const passOverContinue = (socket: Socket): Socket => {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isBeforeAnswer = true;
  let held: Buffer = nothing;

  /** What is left of a piece; nothing where all of it was, or may be, an interim answer. */
  const skim = (piece: Buffer): Buffer | undefined => {
    let bytes: Buffer = held.length === 0 ? piece : Buffer.concat([held, piece]);
    held = nothing;
    while (bytes.length > 0) {
      const length = Math.min(bytes.length, interim.length);
      const end = bytes.indexOf(endOfHead);
      const isInterim = bytes.compare(interim, 0, length, 0, length) === 0;
      if (!isInterim || (end === -1 && bytes.length > longestHeadBytes)) {
        isBeforeAnswer = false;
        return bytes;
      }
      if (end === -1) {
        held = bytes;
        return undefined;
      }
      bytes = bytes.subarray(end + endOfHead.length);
    }
    return undefined;
  };

  return Object.assign(socket, {
    read(size?: number): unknown {
      for (;;) {
        const piece: unknown = read(size);
        if (!isBeforeAnswer || !Buffer.isBuffer(piece)) return piece;
        const rest = skim(piece);
        if (rest !== undefined) return rest;
      }
    },
    // Requests do not overlap on a connection, so after one is written an answer begins.
    write(...given: Parameters<Socket['write']>): boolean {
      isBeforeAnswer = true;
      return write(...given);
    },
  });
};

/** Makes what opens the connections of an undici dispatcher to a portal. */
export const createConnector = (options: buildConnector.BuildOptions = {}): buildConnector.connector => {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...opened) => {
      const [error, socket] = opened;
      if (error !== null) callback(error, null);
      // HTTP/2 frames its interim answers itself.
      else
        callback(
          null,
          'alpnProtocol' in socket && socket.alpnProtocol === 'h2' ? socket : passOverContinue(socket),
        );
    });
};
