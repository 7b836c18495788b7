import type { BodyReading } from '../exchange/hostExchange.ts';

/** The body of a web-standard request: read up to a size, and cancelled once the answer is there. */
export class WebBody {
  readonly #request: Request;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Its bytes; nothing when they are more than `maxBytes`. Rejects when the body breaks off. */
  async readBytes(maxBytes: number): Promise<Buffer | undefined> {
    const reader = this.#request.body?.getReader();
    if (reader === undefined) return Buffer.alloc(0);
    this.#reader = reader;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks, size);
      size += value.length;
      if (size > maxBytes) return undefined;
      chunks.push(value);
    }
  }

  /** Its text, or what became of it. */
  async read(maxBytes: number): Promise<BodyReading> {
    const request = this.#request;
    if (request.bodyUsed) return { kind: 'parsed', value: undefined };
    const length = request.headers.get('content-length');
    // Servers hold a body to its announced length.
    if (length !== null && Number(length) > maxBytes) return { kind: 'too_large' };
    try {
      // Adapters with a `text` of their own read without making a stream first, which costs more than all the rest of a
      // request, and end what is left unread themselves.
      if (length !== null && request.text !== Request.prototype.text)
        return { kind: 'text', text: await request.text() };
      if (request.body?.locked === true) return { kind: 'parsed', value: undefined };
      const bytes = await this.readBytes(maxBytes);
      return bytes === undefined ? { kind: 'too_large' } : { kind: 'text', text: bytes.toString('utf8') };
    } catch {
      // A body that breaks off has lost its sender, whether or not the platform fires the request's signal.
      return { kind: 'gone' };
    }
  }

  /** Lets the platform free what still waits for the rest. Does nothing to a body that was read to its end. */
  cancel(): void {
    const reader = this.#reader;
    // Not at once: a stream of Readable.toWeb() that is cancelled between asking for more and getting it ends the process
    // (nodejs/node#64529).
    if (reader !== undefined) setImmediate(() => void reader.cancel().catch(() => undefined));
  }
}
