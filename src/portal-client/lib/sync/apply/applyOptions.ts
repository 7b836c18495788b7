import type { ApplyProgress } from './applyReport.ts';
import type { RemovalLimits } from './checkRemovals.ts';
import type { SyncJournal } from './journal.ts';

/** Options of `applyPlan`. */
export interface ApplyOptions extends RemovalLimits {
  /** Without this no user loses a role of type `System`: such a user's changes are left out. Default false. */
  readonly allowAdministratorRoleLoss?: boolean | undefined;
  /** Where to note what was done. With a file, a broken run goes on where it stopped. Default none. */
  readonly journal?: SyncJournal | undefined;
  /** Users changed at the same time. Default 8. */
  readonly concurrency?: number | undefined;
  /** Ends the run after the actions under way; the report says what was done. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each action. */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}
