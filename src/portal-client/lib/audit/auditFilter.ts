import type { AuditActionType } from '@vitrine/contract';
import type { CallOptions } from '../http/httpCall.ts';
import type { Moment } from './dateRange.ts';

/** Which records to list. */
export interface AuditFilter {
  /** Internal number of the user (docs/interface.md#4.5). */
  readonly userId?: number | undefined;
  /** Event type (6.2). */
  readonly actionType?: AuditActionType | undefined;
  /** First moment; without it from the beginning. */
  readonly from?: Moment | undefined;
  /** First moment that is no longer in; without it up to the newest. A date alone is its first moment, so it is not in. */
  readonly to?: Moment | undefined;
}

/** Options of `auditLogs.list`. */
export interface AuditListOptions extends AuditFilter, CallOptions {
  /** Rows a page, 200 at most (docs/interface.md#8). */
  readonly pageSize?: number | undefined;
}
