import type { PortalConnection } from '@vitrine/portal-client';
import type { DoctorOptions } from './doctorOptions.ts';
import type { KeyAttempt } from './key/attemptKey.ts';
import type { Finding } from './key/finding.ts';

/** How a check ended. A warning does not make the command fail. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped';

/** What a check found. Never holds a secret or a key. */
export interface CheckResult {
  readonly status: CheckStatus;
  /** What was seen. */
  readonly detail: string;
  /** What to do next; every failure has it. */
  readonly next?: string;
}

/** What earlier checks found out, for the later ones. */
export interface Evidence {
  connection?: PortalConnection;
  /** Origin of the proxy on the way to the API. */
  proxy?: string | undefined;
  /** Hosts, with their ports, that did not answer; later checks do not ask them again. */
  readonly unreachable: Set<string>;
  /** How the attempt to make a key ended. */
  attempt?: KeyAttempt;
  /** What its refusal means; undefined while nothing is wrong. */
  finding?: Finding | undefined;
  /** The report's page, once it has opened. */
  page?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** One line of the doctor. */
export interface DoctorCheck {
  /** Stable name, for `--json`. */
  readonly id: string;
  /** What is checked, in a few words. */
  readonly title: string;
  readonly run: (options: DoctorOptions, evidence: Evidence) => Promise<CheckResult> | CheckResult;
}

/** A check that passed. */
export const ok = (detail: string): CheckResult => ({ status: 'ok', detail });

/** A check that failed, and what to do about it. */
export const failed = (detail: string, next: string): CheckResult => ({ status: 'failed', detail, next });

/** Something that works and needs attention. */
export const warning = (detail: string, next: string): CheckResult => ({ status: 'warning', detail, next });

/** A check that could not run. */
export const skipped = (detail: string, next?: string): CheckResult =>
  next === undefined ? { status: 'skipped', detail } : { status: 'skipped', detail, next };
