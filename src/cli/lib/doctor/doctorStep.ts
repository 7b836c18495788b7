import type { MintedKey, PortalConnection, PortalError } from '@vitrine/portal-client';

/** How a check ended. A warning does not make the command fail. */
export type StepStatus = 'ok' | 'warning' | 'failed' | 'skipped';

/** What a check found. Never holds a secret or a key. */
export interface StepResult {
  readonly status: StepStatus;
  /** What was seen. */
  readonly detail: string;
  /** What to do next; every failure has it. */
  readonly next?: string;
}

/** What the person asked of the doctor. */
export interface DoctorWishes {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the portal is the one that `npm start` runs. */
  readonly isDev: boolean;
  /** Report to make a key for. */
  readonly itemId: number | undefined;
  readonly userId: string;
  readonly roleNames: readonly string[];
  /** Origin of the host app, to judge who may frame the report. */
  readonly origin: string | undefined;
  readonly now: () => number;
  /** Milliseconds that one look at the network may take. */
  readonly timeoutMs: number;
}

/** What earlier checks found out, for the later ones. */
export interface DoctorFacts {
  connection?: PortalConnection;
  /** Hosts that did not answer; later checks do not ask them again. */
  readonly unreachable: Set<string>;
  /** How the attempt to make a key ended. */
  mint?: { readonly minted: MintedKey; readonly itemId: number } | { readonly error: PortalError };
  page?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** One line of the doctor. */
export interface DoctorStep {
  /** Stable name, for `--json`. */
  readonly id: string;
  /** What is checked, in a few words. */
  readonly title: string;
  readonly run: (wishes: DoctorWishes, facts: DoctorFacts) => Promise<StepResult> | StepResult;
}

/** A check that went well. */
export const ok = (detail: string): StepResult => ({ status: 'ok', detail });

/** A check that went wrong, and what to do about it. */
export const failed = (detail: string, next: string): StepResult => ({ status: 'failed', detail, next });

/** Something that works and should be looked at. */
export const warning = (detail: string, next: string): StepResult => ({ status: 'warning', detail, next });

/** A check that had nothing to look at. */
export const skipped = (detail: string, next?: string): StepResult =>
  next === undefined ? { status: 'skipped', detail } : { status: 'skipped', detail, next };
