import type { BodyReading } from '../exchange/hostExchange.ts';

/** The body of a web-standard request: read up to a size, and canceled after the response. */
export class WebBody {
  readonly #request: Request;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  /** Its bytes; undefined if there are more than `maxBytes`. Rejects if the body is cut off. */
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

  /** Its text, or why there is none. */
  async read(maxBytes: number): Promise<BodyReading> {
    const request = this.#request;
    if (request.bodyUsed) return { kind: 'parsed', value: undefined };
    const length = request.headers.get('content-length');
    // Servers enforce the announced length.
    if (length !== null && Number(length) > maxBytes) return { kind: 'too_large' };
    try {
      // Adapters with their own `text` read without creating a stream, which costs more than the rest of a request, and
      // discard an unread rest themselves.
      if (length !== null && request.text !== Request.prototype.text)
        return { kind: 'text', text: await request.text() };
      if (request.body?.locked === true) return { kind: 'parsed', value: undefined };
      const bytes = await this.readBytes(maxBytes);
      return bytes === undefined ? { kind: 'too_large' } : { kind: 'text', text: bytes.toString('utf8') };
    } catch {
      // The body was cut off: the sender is gone, whether or not the platform fires the request's signal.
      return { kind: 'gone' };
    }
  }

  /** Lets the platform free its resources. Does nothing if the body was read to its end. */
  cancel(): void {
    const reader = this.#reader;
    // Deferred: canceling a stream of Readable.toWeb() during a pending read ends the process (nodejs/node#64529).
    if (reader !== undefined) setImmediate(() => void reader.cancel().catch(() => undefined));
  }
}
