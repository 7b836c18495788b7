/** Durations and limits that are not options, in milliseconds unless they count something. */
export const defaultTiming = {
  /** How often to check for unannounced changes: retries, expired leases, other processes. */
  pollMs: 1000,
  /** Handlers that run at the same time in this process. */
  concurrency: 16,
  /** A lease outlasts its attempt by this margin, for the lookups after it and a slow disk. */
  leaseMarginMs: 60_000,
  maxAttempts: 8,
  firstRetryMs: 1000,
  maxRetryMs: 600_000,
  /** Maximum delay before a failed lookup is retried, or a delivery without a handler is offered again. */
  lookupRetryMs: 10_000,
  /** Time limit of `audience`, of the item lookup and of `canView`. */
  lookupMs: 10_000,
  /** Maximum age of an action that is delivered to viewers, and for which a handler is sought in other processes. */
  showForMs: 300_000,
  heartbeatMs: 15_000,
  /** A stream ends after about this time, and the browser reconnects, so that access is checked again. */
  maxStreamMs: 300_000,
  /** Open streams per viewer in this process; a browser needs one for each visible page. */
  maxStreamsPerViewer: 20,
  /** Time limit for receiving a body. */
  bodyMs: 10_000,
};

export type Timing = Readonly<typeof defaultTiming>;
