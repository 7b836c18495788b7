/** What the browser sends to the host's own backend: the Item ID and nothing about identity. */
export interface EmbedKeyRequest {
  /** The number of the report to show (interface 2.4, 4.6 `value.reportId`). */
  readonly itemId: number;
}

/** What the host's backend answers: an encrypted key and all that is needed to show the report with it. */
export interface EmbedKey {
  /** The Item ID that was asked for. */
  readonly itemId: number;
  /** The encrypted key, opaque text (interface 4.6 `result.key`). A secret: never log it. */
  readonly key: string;
  /** Origin, and path if any, under which reports open (interface 4.7 `{tenant_url}`). */
  readonly tenantUrl: string;
  /** Milliseconds the key lives, counted from the moment the request was sent. Independent of the viewer's clock. */
  readonly lifetimeMs: number;
  /** The same end as an ISO 8601 instant of the server's clock. For logs; the browser never computes with it. */
  readonly expiresAt: string;
}
