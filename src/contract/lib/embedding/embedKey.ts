import type { Problem } from './problem.ts';

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

/** Maximum number of keys per request. */
export const maxKeysPerRequest = 50;

/** The browser's request for several keys at once: a page with many reports needs one request. */
export interface EmbedKeysRequest {
  /** Item IDs of 1 to {@link maxKeysPerRequest} reports. */
  readonly itemIds: readonly number[];
}

/** One of several results: the key, or the problem. Each report is handled as if it were requested alone. */
export type EmbedKeyResult =
  | { readonly itemId: number; readonly key: EmbedKey; readonly problem?: never }
  | { readonly itemId: number; readonly key?: never; readonly problem: Problem };

/**
 * The response to {@link EmbedKeysRequest}, with status 200. A problem of the whole request, such as nobody being
 * signed in, is one problem document. A backend that predates this feature responds with 400 `invalid_request`.
 */
export interface EmbedKeysResponse {
  /** One result for each of `itemIds`, in the same order. */
  readonly results: readonly EmbedKeyResult[];
}
