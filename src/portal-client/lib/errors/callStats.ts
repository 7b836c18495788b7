/** One API key and one passphrase, by their places in the connection's lists (0 is the newest). */
export interface SecretPair {
  readonly apiKey: number;
  readonly passPhrase: number;
}

/** What came as the body of an answer. Only `envelope` and `json` can be from the portal; the others tell of a gateway. */
export type BodyKind = 'envelope' | 'json' | 'html' | 'text' | 'empty';

/** What is known about one request and its answer; for logs, metrics and errors. Holds no secret, body or query. */
export interface CallStats {
  readonly method: string;
  /** Path without its query. */
  readonly path: string;
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined;
  /** Undefined when no answer came. */
  readonly body: BodyKind | undefined;
  /** The portal's own identifier of the request, when it gives one. */
  readonly requestId: string | undefined;
  /** Requests sent so far for this call: 1 for the first. */
  readonly attempts: number;
  /** Upstream latency: milliseconds from the start of the request to the end of its answer. */
  readonly durationMs: number;
  /**
   * The portal's clock minus ours, in milliseconds, by its `Date` header; undefined without one. The header counts whole
   * seconds, so differences below a second mean nothing.
   */
  readonly clockSkewMs: number | undefined;
  /** Milliseconds the portal asks to wait before the next request. */
  readonly retryAfterMs: number | undefined;
  /** Origin of the proxy on the way, without credentials. */
  readonly proxy: string | undefined;
  /** Which of the configured secrets were sent, for CreateEncryptedKey: 0 is the newest. */
  readonly secrets: SecretPair | undefined;
}
