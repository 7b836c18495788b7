import type { MessageOf, OnDiagnostic } from './diagnostics.ts';
import type { ActionInbox } from './inbox/actionInbox.ts';

/** Dependencies shared by the parts of actions. */
export interface ActionsContext {
  readonly inbox: ActionInbox;
  readonly onDiagnostic: OnDiagnostic;
  /** Formats an error of the host's code, without secrets. */
  readonly messageOf: MessageOf;
  /** The current time in milliseconds since 1970. */
  readonly now: () => number;
  /** A random number in [0, 1). */
  readonly random: () => number;
}
