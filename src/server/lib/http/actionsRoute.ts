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

/** What a mount hands `GET {endpoint}/actions` to. */
export interface ActionsRoute<TViewer extends Viewer = Viewer> {
  open(request: ActionsRequest<TViewer>, connection: ActionsConnection): MaybePromise<void>;
}
