import type { BodyReading } from '../exchange/hostExchange.ts';

/** Reads a small body of a web-standard request. */
export const readWebBody = async (request: Request, maxBytes: number): Promise<BodyReading> => {
  try {
    return await readUp(request, maxBytes);
  } catch {
    // A body that breaks off has lost its sender, whether or not the platform fires the request's signal.
    return { kind: 'gone' };
  }
};

const readUp = async (request: Request, maxBytes: number): Promise<BodyReading> => {
  if (request.bodyUsed) return { kind: 'parsed', value: undefined };
  const length = request.headers.get('content-length');
  if (length !== null) {
    // Servers hold a body to its announced length. Taken whole, adapters over Node hand it on without making a stream
    // of it first, which costs more than all the rest of a request.
    const isSmall = Number(length) <= maxBytes;
    return isSmall ? { kind: 'text', text: await request.text() } : { kind: 'too_large' };
  }
  if (request.body === null) return { kind: 'text', text: '' };
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { kind: 'text', text: Buffer.concat(chunks).toString('utf8') };
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return { kind: 'too_large' };
    }
    chunks.push(value);
  }
};
