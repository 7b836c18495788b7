import type { Problem } from './problem.ts';

/** What the browser sends to the host's own backend: the Item ID and nothing about identity. */
export interface EmbedKeyRequest {
  /** The number of the report to show (docs/interface.md#2.4, #4.6 `value.reportId`). */
  readonly itemId: number;
}

/** What the host's backend answers: an encrypted key and all that is needed to show the report with it. */
export interface EmbedKey {
  /** The Item ID that was asked for. */
  readonly itemId: number;
  /** The encrypted key, opaque text (docs/interface.md#4.6 `result.key`). A secret: never log it. */
  readonly key: string;
  /** Origin, and path if any, under which reports open (docs/interface.md#4.7 `{tenant_url}`). */
  readonly tenantUrl: string;
  /** Milliseconds the key lives, counted from the moment the request was sent. Independent of the viewer's clock. */
  readonly lifetimeMs: number;
  /** The same end as an ISO 8601 instant of the server's clock. For logs; the browser never computes with it. */
  readonly expiresAt: string;
}

/** Keys that one request may ask for at most. */
export const maxKeysPerRequest = 50;

/** What the browser sends to ask for several keys at once: a page with many reports needs one request. */
export interface EmbedKeysRequest {
  /** Numbers of 1 to {@link maxKeysPerRequest} reports. */
  readonly itemIds: readonly number[];
}

/** One of several: the key, or why there is none. A backend answers for each report as if it were asked for alone. */
export type EmbedKeyResult =
  | { readonly itemId: number; readonly key: EmbedKey; readonly problem?: never }
  | { readonly itemId: number; readonly key?: never; readonly problem: Problem };

/**
 * What the host's backend answers to {@link EmbedKeysRequest}, with status 200. What concerns the request as a whole
 * (nobody is signed in, say) is answered as one problem. A backend before this feature answers 400 `invalid_request`.
 */
export interface EmbedKeysAnswer {
  /** One result for each of `itemIds`, in the same order. */
  readonly results: readonly EmbedKeyResult[];
}
