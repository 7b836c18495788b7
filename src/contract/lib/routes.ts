/** Default path where a host mounts Vitrine. */
export const defaultEndpoint = '/api/embed';

/** Path under the mount that issues keys: `POST {endpoint}/keys`. */
export const keysPath = '/keys';

/** Path under the mount that lists what the viewer may open: `GET {endpoint}/items`. Hosts turn it on. */
export const itemsPath = '/items';

/**
 * Path under the mount that streams actions: `GET {endpoint}/actions`, answered as `text/event-stream`.
 *
 * - `Last-Event-ID` is the position of the last event that the browser has seen. Later
 *   events are sent first. Without it, the stream starts with new events.
 * - The first event is `hello`, with `{ heartbeatMs }` and the position of the stream as its `id`. A heartbeat
 *   (a comment) follows at once, so a browser that receives neither within a few seconds knows that a proxy is
 *   buffering the stream.
 * - Events named `action` hold a `ReportAction`. Heartbeats come every `heartbeatMs`; one with an `id` advances the
 *   position.
 */
export const actionsPath = '/actions';

/** Path under the mount that receives the portal's webhooks: `POST {endpoint}/webhook`. */
export const webhookPath = '/webhook';

/**
 * Header on every browser request of Vitrine; a cross-site form cannot set it. Its value says whether a viewer waits for the response
 * (`viewer`) or the page renews something by itself (`automatic`), which is no sign that anybody is there.
 */
export const requestMarkerHeader = 'x-vitrine-request';

/** Shortest lifetime of a new key, in milliseconds. A cached key has less left. */
export const minKeyLifetimeMs = 60_000;

/** Longest lifetime of a key, in milliseconds. The portal clamps to the same value. */
export const maxKeyLifetimeMs = 24 * 60 * 60 * 1000;

/** Whether a value is an Item ID of the embedding interface: a positive safe integer (docs/interface.md#2.4). */
export const isItemId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The browser's request to the host's own backend: the Item ID, and nothing about identity. */
export interface EmbedKeyRequest {
  /** The Item ID of the report to show (docs/interface.md#2.4, #4.6 `value.reportId`). */
  readonly itemId: number;
}

/** The response of the host's backend: an encrypted key and everything needed to show the report with it. */
export interface EmbedKey {
  /** The requested Item ID. */
  readonly itemId: number;
  /** The encrypted key, opaque text (docs/interface.md#4.6 `result.key`). A secret: never log it. */
  readonly key: string;
  /** Base URL of reports: the origin, and a path if any (docs/interface.md#4.7 `{tenant_url}`). */
  readonly tenantUrl: string;
  /** Lifetime in milliseconds, counted from when the request was sent. Independent of the viewer's clock. */
  readonly lifetimeMs: number;
  /** The expiry as ISO 8601, by the server's clock. For logs; the browser never computes with it. */
  readonly expiresAt: string;
}

/** An item that the viewer may open: one of the list that `GET {endpoint}/items` returns. */
export interface EmbedItem {
  readonly itemId: number;
  /** Display name; an empty text if the portal returns none. */
  readonly name: string;
  /** Kind of item: a report, a dashboard or an app, in the portal's spelling. */
  readonly type: string;
}

/**
 * Builds the URL of a report: `<tenantUrl>/report/<itemId>?ev=<key>` (docs/interface.md#4.7). The key is
 * percent-encoded: a raw `+` would arrive as a space. Treat the result as a secret.
 *
 * @example
 * ```ts
 * import { reportUrl } from '@vitrine/contract';
 *
 * const address = reportUrl('https://acme.portal.example', 1042, 'an+encrypted/key==');
 * ```
 */
export const reportUrl = (tenantUrl: string, itemId: number, key: string): string =>
  `${tenantUrl.replace(/\/+$/, '')}/report/${itemId}?ev=${encodeURIComponent(key)}`;
