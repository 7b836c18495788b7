import type { MaybePromise, Viewer } from '../access/viewer.ts';

/** A signed-in viewer's `GET {endpoint}/actions`, after the same checks of origin and identity as a key request. */
export interface ActionsRequest<TViewer extends Viewer = Viewer> {
  readonly viewer: TViewer;
  /** The host's `canView` for this viewer. */
  readonly canView: (itemId: number) => Promise<boolean>;
  /** Parameters of the URL. */
  readonly query: URLSearchParams;
  /** A header by its lower-case name, such as `last-event-id`. */
  readonly header: (name: string) => string | undefined;
}

/** A response to one browser that stays open. */
export interface ActionsConnection {
  /** Sends status and headers. Called once, before the first write. */
  readonly start: (status: number, headers: Readonly<Record<string, string>>) => void;
  /** Sends text. False if the client reads more slowly than we write; see {@link onDrain}. */
  readonly write: (text: string) => boolean;
  /** Calls back whenever a full connection accepts more. */
  readonly onDrain: (listener: () => void) => void;
  /** Calls back once when the client disconnects or the response ends. */
  readonly onClose: (listener: () => void) => void;
  readonly end: () => void;
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
  open(request: ActionsRequest<TViewer>, connection: ActionsConnection): MaybePromise<void>;
  /** Why this process cannot store webhooks yet, for `health()`; undefined when it can. */
  readonly notReadyReason?: () => string | undefined;
  /** Receives, once, the function that masks the secrets of the mount's portals in errors of the host's code. */
  readonly maskWith?: (mask: (text: string) => string) => void;
}
