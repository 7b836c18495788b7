import type { OptionRules, UserInput } from '@vitrine/contract/service';
import type { User } from '../rows.ts';

/** Progress of planning. */
export type PlanProgress = {
  readonly phase: 'reading the tenant' | 'comparing';
  readonly count: number;
};

/** Options of `planSync`. */
export interface PlanOptions {
  /** What to do with users of the tenant who are not in the source, or not active there. Default `keep`. */
  readonly missing?: 'keep' | 'disable' | 'delete' | undefined;
  /** Users who are never disabled or deleted, whatever the source says, such as administrators. */
  readonly protect?: ((user: User) => boolean) | undefined;
  /** Default fields of new users. */
  readonly defaults?: Partial<UserInput> | undefined;
  /** Whether an empty list of roles or units in a row removes all of them. Default false: they stay unchanged. */
  readonly emptyClears?: boolean | undefined;
  /** Whether units that only a user's row names, by path, are created. Default false: such a row is a conflict. */
  readonly createMissing?: boolean | undefined;
  /** Whether rows without an email address are passed over. Default false: they are conflicts, and nobody is removed. */
  readonly skipWithoutEmail?: boolean | undefined;
  /** Accepts a source without users, or without users to keep. Default false: this is an error. */
  readonly allowEmpty?: boolean | undefined;
  /** Aborts planning, which then rejects. Nothing is changed. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the progress. */
  readonly onProgress?: ((progress: PlanProgress) => void) | undefined;
}

/** The options of `planSync`, and their rules. */
export const planOptionNames: OptionRules<keyof PlanOptions> = {
  missing: { kind: 'choice', values: ['keep', 'disable', 'delete'] },
  protect: { kind: 'function' },
  defaults: true,
  emptyClears: { kind: 'boolean' },
  createMissing: { kind: 'boolean' },
  skipWithoutEmail: { kind: 'boolean' },
  allowEmpty: { kind: 'boolean' },
  signal: true,
  onProgress: { kind: 'function' },
};
