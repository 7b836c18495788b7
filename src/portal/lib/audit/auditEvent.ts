import type { AuditActionType } from '@vitrine/contract';

/** Who does something, and from where. */
export interface Actor {
  /** Internal number of the user, when a user acts. */
  readonly userId: number | null;
  /** E-mail or other identity; for programs the name of their API key. */
  readonly userEmail: string | null;
  readonly ipAddress: string | null;
}

/** One administrative event, as the operation that causes it says it. */
export interface AuditEvent {
  readonly actionType: AuditActionType;
  readonly actor: Actor;
  readonly resourceType: string;
  readonly resourceId: string | number;
  readonly description: string;
  /** `success` unless said otherwise. */
  readonly result?: 'success' | 'failure';
  readonly details?: Readonly<Record<string, unknown>>;
}
