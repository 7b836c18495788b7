import type { AuditRecord } from '@vitrine/portal-client';
import type { Column } from '../../output/formatTable.ts';
import { formatValue } from '../../output/formatValue.ts';

/** Columns of the audit log. */
export const auditColumns: readonly Column<AuditRecord>[] = [
  { name: 'timestamp', title: 'TIME', value: (record) => shortTime(record.timestamp), minWidth: 19 },
  { name: 'actionType', title: 'EVENT', value: (record) => formatValue(record.actionType), minWidth: 12 },
  {
    name: 'userEmail',
    title: 'BY',
    value: (record) => formatValue(record.userEmail ?? record.userId),
    minWidth: 12,
  },
  {
    name: 'description',
    title: 'DESCRIPTION',
    value: (record) => formatValue(record.description),
    minWidth: 16,
  },
];

/** Formats a time for display, in UTC: `2026-01-31 08:15:00`. */
export const shortTime = (timestamp: string | undefined): string =>
  timestamp === undefined ? '–' : timestamp.replace('T', ' ').replace(/\.\d+Z$|Z$/, '');
