import type { IncomingMessage } from 'node:http';
import type { BodyReading } from '../exchange/hostExchange.ts';

/** A request whose body a parser of the host may have read before us. */
type MaybeParsed = IncomingMessage & { readonly body?: unknown };

const gone: BodyReading = { kind: 'gone' };

/** Reads a small body, or takes the result of `express.json()` and similar parsers. */
export const readNodeBody = (
  request: IncomingMessage,
  maxBytes: number,
): Promise<BodyReading> | BodyReading => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { kind: 'too_large' };
  if (request.readableEnded) {
    const { body } = request as MaybeParsed;
    return Buffer.isBuffer(body) || typeof body === 'string'
      ? { kind: 'text', text: body.toString() }
      : { kind: 'parsed', value: body };
  }
  if (request.destroyed) return { kind: 'gone' };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else resolve({ kind: 'too_large' });
    });
    request.on('end', () => {
      const [first] = chunks;
      const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      resolve({ kind: 'text', text: whole.toString('utf8') });
      // The listeners keep `chunks` as long as the request, which may now wait in a queue: free the bytes.
      chunks.length = 0;
    });
    // After the end, the promise is settled and this does nothing.
    const leave = () => resolve(gone);
    request.on('error', leave);
    request.on('close', leave);
  });
};
