import type { AuditActionType } from '@vitrine/contract';

/** The actor of a change, and the source address. */
export interface Actor {
  /** Internal number of the user, if a user acts. */
  readonly userId: number | null;
  /** Email or other identity; for programs, the name of their API key. */
  readonly userEmail: string | null;
  readonly ipAddress: string | null;
}

/** One administrative event, from the operation that causes it. */
export interface AuditEvent {
  readonly actionType: AuditActionType;
  readonly actor: Actor;
  readonly resourceType: string;
  readonly resourceId: string | number;
  readonly description: string;
  /** Default `success`. */
  readonly result?: 'success' | 'failure';
  readonly details?: Readonly<Record<string, unknown>>;
}
