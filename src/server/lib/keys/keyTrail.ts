import type { ProblemCode } from '@vitrine/contract';
import type { Tenant } from './createTenant.ts';

/** What becomes known of a key request on its way; for the log and for telemetry. */
export interface KeyTrail {
  /** When it came, in milliseconds since the epoch. */
  readonly startMs: number;
  /** `given`, `kept` (out of the cache), `gone` (the client left), or the code of the refusal. */
  outcome: ProblemCode | 'given' | 'kept' | 'gone';
  itemId: number | undefined;
  /** The callback of the host that was asked last. */
  asked: 'viewer' | 'portal' | 'canView' | undefined;
  tenant: Tenant | undefined;
  portalStatus: number | undefined;
  attempts: number | undefined;
}

/** The trail of a request that has just come. */
export const newTrail = (startMs: number): KeyTrail => ({
  startMs,
  outcome: 'gone',
  itemId: undefined,
  asked: undefined,
  tenant: undefined,
  portalStatus: undefined,
  attempts: undefined,
});
