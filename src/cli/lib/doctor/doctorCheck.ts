import type { PortalConnection } from '@vitrine/portal-client';
import type { DoctorOptions } from './doctorOptions.ts';
import type { KeyAttempt } from './key/attemptKey.ts';
import type { Finding } from './key/finding.ts';

/** The status of a check. A warning does not make the command fail. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

/** The result of a check. Never contains a secret or a key. */
export interface CheckResult {
  readonly status: CheckStatus;
  /** What was seen. */
  readonly detail: string;
  /** What to do next; every failure has it. */
  readonly next?: string;
}

/** Findings of earlier checks, for later ones. */
export interface Evidence {
  connection?: PortalConnection;
  /** Origin of the proxy to the API. */
  proxy?: string | undefined;
  /** Hosts with ports that did not respond; later checks skip them. */
  readonly unreachable: Set<string>;
  /** The result of the attempt to create a key. */
  attempt?: KeyAttempt;
  /** The diagnosis of its failure; undefined if it succeeded. */
  finding?: Finding | undefined;
  /** The report's page, once it has opened. */
  page?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** One line of the doctor. */
export interface DoctorCheck {
  /** Stable name, for `--json`. */
  readonly id: string;
  /** Subject of the check, in a few words. */
  readonly title: string;
  readonly run: (options: DoctorOptions, evidence: Evidence) => Promise<CheckResult> | CheckResult;
}

/** Result of a check that passed. */
export const ok = (detail: string): CheckResult => ({ status: 'ok', detail });

/** Result of a check that failed, with advice. */
export const failed = (detail: string, next: string): CheckResult => ({ status: 'failed', detail, next });

/** Result of a check that passed but needs attention. */
export const warning = (detail: string, next: string): CheckResult => ({ status: 'warning', detail, next });

/** Result of a check that could not run. */
export const skipped = (detail: string, next?: string): CheckResult =>
  next === undefined ? { status: 'skipped', detail } : { status: 'skipped', detail, next };
