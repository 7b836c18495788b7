import type { AuditRecord } from '@vitrine/portal-client';
import type { Column } from '../../output/formatTable.ts';
import { formatValue } from '../../output/formatValue.ts';
import { shortTime } from '../../output/shortTime.ts';

/** Columns of the audit log. */
export const auditColumns: readonly Column<AuditRecord>[] = [
  { name: 'timestamp', title: 'TIME', value: (record) => shortTime(record.timestamp), keepsWidth: true },
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
