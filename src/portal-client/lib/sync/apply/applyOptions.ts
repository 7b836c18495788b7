import type { AllowedActions } from '../plan/syncPlan.ts';
import type { ApplyProgress } from './applyResult.ts';
import type { RemovalLimits } from './checkRemovals.ts';
import type { SyncJournal } from './syncJournal.ts';

/** Options of `applyPlan`. */
export interface ApplyOptions extends RemovalLimits, AllowedActions {
  /** Records what was done. With a file, an interrupted run resumes where it stopped. Default none. */
  readonly journal?: SyncJournal | undefined;
  /** Maximum number of concurrent user changes. Default 8. */
  readonly concurrency?: number | undefined;
  /** Stops the run after in-flight actions; the result lists what was done. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each action. */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}
