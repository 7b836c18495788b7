import type { MessageOf, OnDiagnostic } from './diagnostics.ts';
import type { ActionInbox } from './inbox/actionInbox.ts';

/** What the parts of actions share. */
export interface ActionsContext {
  readonly inbox: ActionInbox;
  readonly onDiagnostic: OnDiagnostic;
  /** Writes what the code of the host threw, without secrets. */
  readonly messageOf: MessageOf;
  /** The present moment in milliseconds since 1970. */
  readonly now: () => number;
  /** A random number in [0, 1). */
  readonly random: () => number;
}
