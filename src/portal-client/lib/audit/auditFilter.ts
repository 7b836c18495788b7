import type { AuditActionType } from '@vitrine/contract/service';
import type { CallOptions } from '../http/http.ts';
import type { Moment } from './dateRange.ts';

/** Which records to list. */
export interface AuditFilter {
  /** Internal number of the user (docs/interface.md#4.5). */
  readonly userId?: number | undefined;
  /** Event type (6.2). */
  readonly actionType?: AuditActionType | undefined;
  /** Start, inclusive. Default: the beginning. */
  readonly from?: Moment | undefined;
  /** End, exclusive. Default: the newest record. A date without a time means midnight, so that day is excluded. */
  readonly to?: Moment | undefined;
}

/** Options of `auditLogs.list`. */
export interface AuditListOptions extends AuditFilter, CallOptions {
  /** Rows per page, at most 200 (docs/interface.md#8). */
  readonly pageSize?: number | undefined;
}
