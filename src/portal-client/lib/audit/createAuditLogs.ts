import { PortalError } from '../errors/portalError.ts';
import type { PortalList } from '../paging/paging.ts';
import { listOf, type ResourceTools } from '../resources/resourceTools.ts';
import type { AuditListOptions } from './auditFilter.ts';
import { type AuditRecord, auditRecordReader } from './auditRecord.ts';
import { dateRange, farFutureMs, momentMs } from './dateRange.ts';
import { type AuditFollower, type FollowOptions, followAuditLogs } from './followAuditLogs.ts';

/** The audit log (docs/interface.md#4.5). */
export interface AuditLogsResource {
  /**
   * GET /v1/audit-logs: records of a time range, newest first (assumed). Records written during the read may be missing;
   * earlier ones never are.
   */
  readonly list: (options?: AuditListOptions) => PortalList<AuditRecord>;
  /** Records from a start time, oldest first, and new ones as they arrive, until the signal aborts. Nothing is lost or repeated. */
  readonly follow: (options: FollowOptions) => AuditFollower;
}

const maxPageSize = 200;

/** The client's audit log. */
export const createAuditLogs = (tools: ResourceTools): AuditLogsResource => {
  const list: AuditLogsResource['list'] = (options = {}) => {
    const { userId, actionType, from, to, pageSize = tools.pageSize, ...callOptions } = options;
    if (userId !== undefined && !Number.isSafeInteger(userId))
      throw new PortalError(
        'userId is not a whole number. Pass the internal ID of a user, not an email address.',
        { kind: 'config', code: 'bad_option_userId' },
      );
    const hasRange = from !== undefined || to !== undefined;
    const range = hasRange
      ? dateRange(
          from === undefined ? 0 : momentMs(from, 'from'),
          to === undefined ? farFutureMs : momentMs(to, 'to'),
        )
      : undefined;
    return listOf(
      tools,
      {
        path: '/v1/audit-logs',
        reader: auditRecordReader,
        isPaged: true,
        isAppendOnly: true,
        pageSize: Math.min(pageSize, maxPageSize),
        query: { userId, actionType, dateRange: range },
      },
      callOptions,
    );
  };
  return { list, follow: (options) => followAuditLogs(list, options) };
};
