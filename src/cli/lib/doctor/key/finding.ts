import type { PortalConnection } from '@vitrine/portal-client';
import type { DoctorOptions } from '../doctorOptions.ts';

/** The checks that one attempt to make a key answers, in the order in which one builds on the other. */
export const keyChecks = [
  'api',
  'clock',
  'tenant_header',
  'api_key',
  'permissions',
  'passphrase',
  'key',
] as const;

/** One of {@link keyChecks}. */
export type KeyCheck = (typeof keyChecks)[number];

/** What is wrong, and which check it belongs to. */
export interface Finding {
  readonly check: KeyCheck;
  /** What was seen. */
  readonly detail: string;
  /** What to do about it. */
  readonly next: string;
  /** Whether a wrong API key gets the same answer, so that nothing is known of what the portal has checked before. */
  readonly isBlind?: boolean;
}

/** What a diagnosis may use: the configuration, and further attempts with one thing changed. */
export interface Patient {
  readonly connection: PortalConnection;
  readonly options: DoctorOptions;
}
