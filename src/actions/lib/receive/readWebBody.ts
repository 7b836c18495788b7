import type { BodyResult } from './actionReceiver.ts';

/** Reads the bytes of a web-standard request. A body over the limit is cancelled. */
export const readWebBody = async (request: Request, maxBytes: number): Promise<BodyResult> => {
  if (!request.body) return { kind: 'read', bytes: new Uint8Array() };
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      total += value.byteLength;
      if (total > maxBytes) {
        await reader.cancel();
        return { kind: 'too-large' };
      }
    }
  } catch {
    return { kind: 'aborted' };
  }
  return { kind: 'read', bytes: Buffer.concat(chunks, total) };
};
