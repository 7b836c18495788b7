import type { ProblemCode } from '@vitrine/contract';

/** What becomes known of a key request on its way; for the log and for telemetry. Nothing in it is secret. */
export interface KeyTrail {
  /** `given`, `kept` (out of the cache), `gone` (the client left), or the code of the refusal. */
  outcome: ProblemCode | 'given' | 'kept' | 'gone';
  itemId?: number;
  tenancyName?: string;
  portalStatus?: number;
  attempts?: number;
}
