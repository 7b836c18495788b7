import type { Reply } from './problems.ts';
import type { BodyReader } from './requestBody.ts';
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

/** What an adapter knows about a webhook beside its web-standard form. */
export interface WebhookContext {
  /** Address of the sender according to the host's proxy rules. */
  readonly source?: string | undefined;
  /** Reads the body. Default: that of the request. */
  readonly reader?: BodyReader;
}

/** The handlers of `GET {endpoint}/actions` and `POST {endpoint}/webhook`. */
export interface MountedActions<TViewer extends Viewer = Viewer> {
  /** Receives a webhook of the portal. Without it, the mount has no such route. */
  readonly receive?: (request: Request, context?: WebhookContext) => Promise<Reply>;
  open(request: ActionsRequest<TViewer>): Promise<Reply>;
  /** Why this process cannot store webhooks yet, for `health()`; undefined when it can. */
  readonly notReadyReason?: () => string | undefined;
}
