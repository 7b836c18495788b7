import type { IncomingMessage } from 'node:http';
import type { BodyResult } from './actionReceiver.ts';

/** Reads the bytes of a Node request. A body over the limit is left unread. */
export const readNodeBody = (request: IncomingMessage, maxBytes: number): Promise<BodyResult> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let total = 0;
    const finish = (result: BodyResult): void => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      total += chunk.length;
      chunks.push(chunk);
      if (total <= maxBytes) return;
      request.pause();
      finish({ kind: 'too-large' });
    };
    const onEnd = (): void => {
      const [first] = chunks;
      finish({ kind: 'read', bytes: chunks.length === 1 && first ? first : Buffer.concat(chunks, total) });
    };
    const onClose = (): void => finish({ kind: 'aborted' });
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
