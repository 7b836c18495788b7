/** One API key and one passphrase, by their positions in the connection's lists (0 is the newest). */
export interface SecretPair {
  readonly apiKey: number;
  readonly passPhrase: number;
}

/** Kind of a response body. Only `envelope` and `json` can be from the portal; the others are from a gateway. */
export type BodyKind = 'envelope' | 'json' | 'html' | 'text' | 'empty';

/** Facts about one request and its response, for logs, metrics and errors. Contains no secret, body or query. */
export interface CallStats {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Undefined without a response. */
  readonly body: BodyKind | undefined;
  /** The portal's identifier of the request, if any. */
  readonly requestId: string | undefined;
  /** Requests sent so far for this call: 1 for the first. */
  readonly attempts: number;
  /** Upstream latency: milliseconds from the start of the request to the end of its response. */
  readonly durationMs: number;
  /**
   * The portal's clock minus ours, in milliseconds, according to its `Date` header; undefined without one. The header
   * has whole seconds, so smaller differences mean nothing.
   */
  readonly clockSkewMs: number | undefined;
  /** Milliseconds the portal asks to wait before the next request. */
  readonly retryAfterMs: number | undefined;
  /** Origin of the proxy, without credentials. */
  readonly proxy: string | undefined;
  /** Which of the configured secrets were sent, for CreateEncryptedKey: 0 is the newest. */
  readonly secrets: SecretPair | undefined;
}
