/** The effect of a fault. Those named `webhook…` affect webhooks, the others requests. */
export type FaultEffect =
  | { kind: 'status'; status: number; message?: string | undefined; retryAfterSeconds?: number | undefined }
  | { kind: 'delay' | 'webhookDelay'; delayMs: number }
  | { kind: 'truncate'; bytes?: number | undefined }
  | { kind: 'hang' | 'drop' | 'wrongType' | 'dropDottedHeaders' }
  | { kind: 'webhookTwice' | 'webhookLost' };

/** A fault: its effect, its requests, and how often. An omitted filter matches everything. */
export interface Fault {
  effect: FaultEffect;
  method?: string | undefined;
  /** A path, or the start of one when it ends with `*`. */
  path?: string | undefined;
  tenancyName?: string | undefined;
  /** Fires on these matches only, counted from 1. */
  nth?: number[] | undefined;
  /** Maximum number of times that it fires. */
  times?: number | undefined;
  /** Chance of firing, from 0 to 1. */
  probability?: number | undefined;
}
