import { isItemId } from '@vitrine/contract';
import { inTime, waitMs } from './hostCalls.ts';
import { ClientGoneError, KeyRequestError, type ProblemFields } from './problems.ts';

/** What something before Vitrine has made of a body: a parser's result, or the bytes that it kept. */
export interface ParsedBody {
  readonly body: unknown;
  readonly rawBody?: unknown;
}

/** The body of a request. */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'parsed'; readonly parsed: ParsedBody }
  /** `late`: the time passed. `gone`: the client disconnected while sending. */
  | { readonly kind: 'too-large' | 'late' | 'gone' };

/** Reads the body of a request up to a size, within a time. */
export interface BodyReader {
  read(limit: { readonly maxBytes: number; readonly timeoutMs: number }): Promise<Body>;
  /** Lets the platform free what was not read to its end. */
  cancel(): void;
}

// One for all: each would collect a stack that nobody reads.
const lateError = new Error('The body is late.');
const late = () => lateError;

/** Creates the {@link BodyReader} of a request. `ready` returns the body if something before Vitrine has read it. */
export const createBodyReader = (
  request: Request,
  ready: () => Body | undefined = () => undefined,
): BodyReader => {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  const readStream = async (body: NonNullable<Request['body']>, maxBytes: number): Promise<Body> => {
    reader = body.getReader();
    const chunks: Uint8Array[] = [];
    for (let size = 0; ; ) {
      const { done, value } = await reader.read();
      if (done) return { kind: 'bytes', bytes: Buffer.concat(chunks) };
      size += value.length;
      if (size > maxBytes) return { kind: 'too-large' };
      chunks.push(value);
    }
  };

  return {
    read: async ({ maxBytes, timeoutMs }) => {
      const length = request.headers.get('content-length');
      if (Number(length ?? 0) > maxBytes) return { kind: 'too-large' };
      const found = ready();
      if (found !== undefined) return found;
      const taken: Body = { kind: 'parsed', parsed: { body: undefined } };
      if (request.bodyUsed) return taken;
      try {
        // The request of @hono/node-server reads without a stream, which costs more than the rest of a request. Node
        // enforces the announced length.
        if (length !== null && request.arrayBuffer !== Request.prototype.arrayBuffer)
          return {
            kind: 'bytes',
            bytes: new Uint8Array(await inTime(request.arrayBuffer(), late, timeoutMs)),
          };
        if (request.body === null) return { kind: 'bytes', bytes: new Uint8Array() };
        if (request.body.locked) return taken;
        return await inTime(readStream(request.body, maxBytes), late, timeoutMs);
      } catch (error) {
        return { kind: error === lateError ? 'late' : 'gone' };
      }
    },
    cancel: () => {
      // Deferred: canceling a stream of Readable.toWeb() during a pending read ends the process (nodejs/node#64529).
      if (reader !== undefined) setImmediate(() => void reader?.cancel().catch(() => undefined));
    },
  };
};

/** Maximum size of a key request's body. `{"itemId":…}` needs 40 bytes. */
const maxKeyRequestBytes = 2048;

const invalid = (detail: string, fields: Partial<ProblemFields> = {}): KeyRequestError =>
  new KeyRequestError({ code: 'invalid_request', detail, ...fields }, { origin: 'request', problem: detail });

const parseJson = (text: string): unknown => {
  try {
    // Some clients send a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid('The body must be a JSON object such as {"itemId":1042}.');
  }
};

const readJson = async (reader: BodyReader): Promise<unknown> => {
  const body = await reader.read({ maxBytes: maxKeyRequestBytes, timeoutMs: waitMs });
  switch (body.kind) {
    case 'gone':
      throw new ClientGoneError();
    case 'late':
      throw invalid(`The request body did not arrive within ${waitMs} ms.`, { closesConnection: true });
    case 'too-large':
      throw invalid('The body of a key request must not exceed 2,048 bytes.', {
        code: 'request_too_large',
        closesConnection: true,
      });
    case 'bytes':
      return parseJson(Buffer.from(body.bytes).toString('utf8'));
    case 'parsed': {
      const { body: read } = body.parsed;
      if (read === undefined)
        throw invalid(
          'The body is missing because something else read it first. Mount Vitrine before other body parsers.',
        );
      return typeof read === 'string' || read instanceof Uint8Array
        ? parseJson(String(Buffer.from(read)))
        : read;
    }
  }
};

/** Reads the body of `POST {endpoint}/keys`: an object with `itemId` and nothing else. */
export const readItemId = async (reader: BodyReader): Promise<number> => {
  const value = await readJson(reader);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('The body must be a JSON object such as {"itemId":1042}.');
  if (!Object.hasOwn(value, 'itemId')) throw invalid('The body lacks "itemId", the ID of the report.');
  if (Object.keys(value).length > 1)
    throw invalid(
      'The body must contain only "itemId". The server decides who the viewer is and which roles apply.',
    );
  const { itemId } = value as { itemId: unknown }; // the check above guarantees it
  if (!isItemId(itemId))
    throw invalid('"itemId" must be a positive whole number, such as 1042.', { code: 'invalid_item_id' });
  return itemId;
};
