/** Options of the doctor. */
export interface DoctorOptions {
  /** Configuration, and the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that some of the configuration comes from. */
  readonly envFile?: string | undefined;
  /** Report to create a key for. */
  readonly itemId: number | undefined;
  readonly userId: string;
  readonly roleNames: readonly string[];
  /** Origin of the host app, to check whether it may frame the report. */
  readonly origin: string | undefined;
  /** Time limit of one network probe, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends the probes. */
  readonly signal: AbortSignal;
}

/** The result of a check. Never contains a secret or a key. */
export interface CheckResult {
  /** A warning does not make the command fail. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  /** What was seen. */
  readonly detail: string;
  /** What to do next; every failure has it. */
  readonly next?: string;
}

/** A check and its result. */
export interface DoctorLine extends CheckResult {
  /** Stable name, for `--json`. */
  readonly id: string;
  readonly title: string;
}

/** A row of a table of checks, which read what probes have seen. */
export type Check<TSeen> = readonly [
  id: string,
  title: string,
  read: (seen: TSeen) => CheckResult | Promise<CheckResult>,
];

/** Result of a check that passed. */
export const ok = (detail: string): CheckResult => ({ status: 'ok', detail });

/** Result of a check that failed, with advice. */
export const failed = (detail: string, next: string): CheckResult => ({ status: 'failed', detail, next });

/** Result of a check that passed but needs attention. */
export const warning = (detail: string, next: string): CheckResult => ({ status: 'warning', detail, next });

/** Result of a check that could not run. */
export const skipped = (detail: string): CheckResult => ({ status: 'skipped', detail });
