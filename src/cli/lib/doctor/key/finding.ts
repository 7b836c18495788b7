import type { PortalConnection } from '@vitrine/portal-client';
import type { DoctorOptions } from '../doctorOptions.ts';

/** The checks that the attempt to create a key covers, in dependency order. */
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

/** A problem and its check. */
export interface Finding {
  readonly check: KeyCheck;
  /** What was seen. */
  readonly detail: string;
  /** What to do about it. */
  readonly next: string;
  /** Whether a wrong API key gets the same response, so that earlier checks are unknown. */
  readonly isInconclusive?: boolean;
}

/** Inputs of a diagnosis: the configuration, and further attempts with one change. */
export interface DiagnosisContext {
  readonly connection: PortalConnection;
  readonly options: DoctorOptions;
}
