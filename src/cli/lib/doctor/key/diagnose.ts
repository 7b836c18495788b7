import type { PortalConnection, PortalError } from '@vitrine/portal-client';
import type { DoctorOptions } from '../doctorCheck.ts';
import { type KeyAttempt, statsOf } from './attemptKey.ts';
import { diagnoseGateway } from './diagnoseGateway.ts';
import { diagnoseRefusal } from './diagnoseRefusal.ts';

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

/** From this difference on, keys end at the wrong moment or are refused. */
export const harmfulSkewMs = 5 * 60_000;

/** Finds out what a failed attempt means; undefined when nothing is wrong. */
export const diagnose = async (attempt: KeyAttempt, patient: Patient): Promise<Finding | undefined> => {
  const skewMs = Math.abs(statsOf(attempt)?.clockSkewMs ?? 0);
  if (skewMs > harmfulSkewMs)
    return {
      check: 'clock',
      detail: describeSkew(statsOf(attempt)?.clockSkewMs ?? 0),
      next: 'Keys end at the wrong moment or are refused. Synchronize the clock of this machine (NTP), or ask whoever runs the portal to do so.',
    };
  if ('minted' in attempt) return undefined;
  const { error } = attempt;
  return isPortalAnswer(error) ? diagnoseRefusal(error, patient) : diagnoseGateway(error, patient);
};

/** The difference of the clocks in words. */
export const describeSkew = (skewMs: number): string =>
  `the portal's clock is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} ours`;

/** Only the portal itself refuses with an envelope; everything else comes from the network or from a gateway. */
const isPortalAnswer = ({ kind, stats }: PortalError): boolean =>
  stats?.body === 'envelope' && !['server', 'rate_limited', 'invalid_response'].includes(kind);
