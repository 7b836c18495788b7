import type { PortalConnectionInput } from '@vitrine/portal-client';
import type { DispatchOptions } from '../actionsOptions.ts';
import type { ClaimedDelivery, Outcome } from '../inbox/actionInbox.ts';
import type { createPublisher } from './publisher.ts';
import type { ActionRoute } from './routes.ts';

/** Options of {@link createActionDispatcher}. */
export interface ActionDispatcherOptions extends DispatchOptions {
  /** Handlers; `undefined` when the host has none, and every action is handled by being shown. */
  readonly routes: readonly ActionRoute[] | undefined;
  readonly publisher: ReturnType<typeof createPublisher>;
  /** Whose events are handled; those of another tenant are parked. */
  readonly portal: PortalConnectionInput | undefined;
  /** How long after its arrival an event is shown, in milliseconds. */
  readonly showForMs: number;
  readonly onSettled: ((delivery: ClaimedDelivery, outcome: Outcome) => void) | undefined;
}
