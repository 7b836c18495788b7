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

/** The way back to one browser: an answer that stays open. */
export interface ActionsConnection {
  /** Sends status and headers. Called once, before the first write. */
  readonly start: (status: number, headers: Readonly<Record<string, string>>) => void;
  /** Sends text. False when the client reads slower than it is written to; see {@link onDrain}. */
  readonly write: (text: string) => boolean;
  /** Calls back whenever a full connection takes more. */
  readonly onDrain: (listener: () => void) => void;
  /** Calls back once when the client has left or the answer has ended. */
  readonly onClose: (listener: () => void) => void;
  readonly end: () => void;
}

/** What reading the body of a webhook came to. */
export type WebhookBody =
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      /** True when a body parser had consumed the bytes. */
      readonly wasParsed?: boolean;
      /** True when the original bytes are gone, and the body was written again from what the parser made of it. */
      readonly isRebuilt?: boolean;
    }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'aborted' };

/** A webhook request, whatever framework took it. */
export interface WebhookRequest {
  readonly method: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Address of the sender as the host's own proxy rules give it. */
  readonly source?: string | undefined;
  /** Reads the body, at most so many bytes. Called once, and only after the sender has proved itself. */
  readBody(maxBytes: number): Promise<WebhookBody>;
}

/** The answer. It has no body: a sender that never retries reads nothing into one. */
export interface WebhookAnswer {
  readonly status: 202 | 401 | 403 | 405 | 408 | 413 | 503;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a mount hands `GET {endpoint}/actions` and `POST {endpoint}/webhook` to. */
export interface MountedActions<TViewer extends Viewer = Viewer> {
  /** Takes a webhook of the portal. Without it the mount has no such route. */
  readonly receive?: (request: WebhookRequest) => Promise<WebhookAnswer>;
  open(request: ActionsRequest<TViewer>, connection: ActionsConnection): MaybePromise<void>;
  /** Takes, once, what masks the secrets of the mount's portals, for messages that the host's code throws. */
  readonly maskWith?: (mask: (text: string) => string) => void;
}
