import type { PortalError } from '@vitrine/portal-client';
import { type KeyAttempt, statsOf } from './attemptKey.ts';
import { diagnoseGateway } from './diagnoseGateway.ts';
import { diagnoseRefusal } from './diagnoseRefusal.ts';
import type { DiagnosisContext, Finding } from './finding.ts';

/** Clock difference above which keys expire at the wrong time or are refused. */
export const harmfulSkewMs = 5 * 60_000;

/** Advice for a harmful clock difference. */
export const skewAdvice =
  'Keys expire at the wrong time or are refused. Synchronize the clock of this machine (NTP), or ask the operator of the portal to do so.';

/** Diagnoses a failed attempt; undefined if nothing is wrong. */
export const diagnose = async (
  attempt: KeyAttempt,
  context: DiagnosisContext,
): Promise<Finding | undefined> => {
  const skewMs = Math.abs(statsOf(attempt)?.clockSkewMs ?? 0);
  if (skewMs > harmfulSkewMs && !isAboutViewer(attempt))
    return {
      check: 'clock',
      detail: describeSkew(statsOf(attempt)?.clockSkewMs ?? 0),
      next: skewAdvice,
    };
  if ('created' in attempt) return undefined;
  const { error } = attempt;
  return isPortalAnswer(error) ? diagnoseRefusal(error, context) : diagnoseGateway(error, context);
};

/** Whether the refusal is about the user or the report, and so independent of clocks. */
const isAboutViewer = (attempt: KeyAttempt): boolean =>
  'error' in attempt && ['unauthorized', 'forbidden', 'not_found'].includes(attempt.error.kind);

/** Describes the clock difference. */
export const describeSkew = (skewMs: number): string =>
  `the portal's clock is ${Math.round(Math.abs(skewMs) / 1000)} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's`;

/**
 * Whether the refusal is the portal's own, with an envelope or `success: false`; others are from the network or a
 * gateway.
 */
export const isPortalAnswer = ({ kind, stats }: PortalError): boolean =>
  (stats?.body === 'envelope' || kind === 'business') &&
  !['server', 'rate_limited', 'invalid_response'].includes(kind);
