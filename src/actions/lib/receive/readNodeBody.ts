import type { IncomingMessage } from 'node:http';
import type { BodyResult } from './actionReceiver.ts';

/** Reads the bytes of a Node request. A body over the limit is left unread. */
export const readNodeBody = (request: IncomingMessage, maxBytes: number): Promise<BodyResult> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let total = 0;
    // What has ended already says so no more: a parser before this one may have met a body without a byte.
    if (request.readableEnded) return resolve({ kind: 'read', bytes: new Uint8Array() });
    if (request.destroyed) return resolve({ kind: 'aborted' });
    // The first of these settles the promise; what comes after it changes nothing.
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      if (total <= maxBytes) return void chunks.push(chunk);
      request.pause();
      resolve({ kind: 'too-large' });
    };
    const onEnd = (): void => {
      const [first] = chunks;
      resolve({ kind: 'read', bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks, total) });
    };
    // Every request closes in the end; settling what is settled would cost more than this question.
    const onClose = (): void => {
      if (!request.readableEnded) resolve({ kind: 'aborted' });
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
