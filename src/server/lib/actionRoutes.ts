import type { Reply } from './problems.ts';
import type { BodyReader, ParsedBody } from './requestChecks.ts';
import type { Viewer } from './viewer.ts';

/** A signed-in viewer's `GET {endpoint}/actions`, after the same checks of origin and identity as a key request. */
export interface ActionsRequest<TViewer extends Viewer = Viewer> {
  readonly viewer: TViewer;
  /** The host's `canView` for this viewer. */
  readonly canView: (itemId: number) => Promise<boolean>;
  /** The last event that the browser has received. */
  readonly lastEventId: string;
  /** Fires when the browser leaves. */
  readonly signal: AbortSignal;
}

/** The result of reading the body of a webhook. */
export type WebhookBody =
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      /** True if a body parser consumed the bytes. */
      readonly wasParsed?: boolean;
      /** True if the original bytes are gone and the body was serialized again from the parser's result. */
      readonly isReserialized?: boolean;
    }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'aborted' };

/** A webhook request, from any framework. */
export interface WebhookRequest {
  readonly method: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Address of the sender according to the host's proxy rules. */
  readonly source?: string | undefined;
  /** Reads the body, at most `maxBytes`. Called once, after the sender is authenticated. */
  readBody(maxBytes: number): Promise<WebhookBody>;
}

/** The response. It has no body: the sender ignores it. */
export interface WebhookResponse {
  readonly status: 202 | 400 | 401 | 403 | 405 | 408 | 413 | 503;
  readonly headers: Readonly<Record<string, string>>;
}

/** The handlers of `GET {endpoint}/actions` and `POST {endpoint}/webhook`. */
export interface MountedActions<TViewer extends Viewer = Viewer> {
  /** Receives a webhook of the portal. Without it, the mount has no such route. */
  readonly receive?: (request: WebhookRequest) => Promise<WebhookResponse>;
  open(request: ActionsRequest<TViewer>): Promise<Reply>;
  /** Why this process cannot store webhooks yet, for `health()`; undefined when it can. */
  readonly notReadyReason?: () => string | undefined;
  /** Receives, once, the function that masks the secrets of the mount's portals in errors of the host's code. */
  readonly maskWith?: (mask: (text: string) => string) => void;
}

/** An IP address without the port or brackets that proxies and platforms add. */
const plainAddress = (address: string | undefined): string | undefined =>
  address?.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');

const serialize = (body: unknown): string => {
  try {
    return JSON.stringify(body ?? null);
  } catch (cause) {
    throw new Error(
      'A body parser read the body first, and its result cannot be converted back. Mount Vitrine before it.',
      { cause },
    );
  }
};

/** The bytes after a body parser: its buffer, a `rawBody` kept by a `verify` hook, or its result serialized again. */
const readParsed = ({ body, rawBody }: ParsedBody, isEncoded: boolean): WebhookBody => {
  const kept = rawBody ?? body;
  const isWhole = kept instanceof Uint8Array;
  const bytes = isWhole ? kept : Buffer.from(typeof kept === 'string' ? kept : serialize(body));
  // A parser has decompressed an encoded body, so these are not the bytes that were sent.
  return { kind: 'read', bytes, wasParsed: true, isReserialized: !isWhole || isEncoded };
};

/** Passes a webhook on. `source` is the sender's address, if it is known. */
export const receiveWebhook = async (
  receive: NonNullable<MountedActions['receive']>,
  request: Request,
  { reader, source }: { readonly reader: BodyReader; readonly source: string | undefined },
): Promise<Reply> => {
  const readBody = async (maxBytes: number): Promise<WebhookBody> => {
    const body = await reader.read(maxBytes);
    switch (body.kind) {
      case 'bytes':
        return { kind: 'read', bytes: body.bytes };
      case 'parsed': {
        const read = readParsed(body.parsed, request.headers.has('content-encoding'));
        return read.kind === 'read' && read.bytes.byteLength > maxBytes ? { kind: 'too-large' } : read;
      }
      case 'too-large':
        return body;
      case 'gone':
        return { kind: 'aborted' };
    }
  };
  const { method, headers } = request;
  const header = (name: string) => headers.get(name) ?? undefined;
  const answer = await receive({ method, header, source: plainAddress(source), readBody });
  return { ...answer, body: null };
};
