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
