import type { AuditRecord } from '@vitrine/portal-client';
import { formatValue } from '../../output/createOutput.ts';
import type { Column } from '../../output/formatTable.ts';

/** Columns of the audit log. */
export const auditColumns: readonly Column<AuditRecord>[] = [
  { title: 'TIME', value: (record) => shortTime(record.timestamp), minWidth: 19 },
  { title: 'EVENT', value: (record) => formatValue(record.actionType), minWidth: 12 },
  { title: 'BY', value: (record) => formatValue(record.userEmail ?? record.userId), minWidth: 12 },
  { title: 'DESCRIPTION', value: (record) => formatValue(record.description), minWidth: 16 },
];

/** A time as people read it, in UTC: `2026-01-31 08:15:00`. */
export const shortTime = (timestamp: string | undefined): string =>
  timestamp === undefined ? '–' : timestamp.replace('T', ' ').replace(/\.\d+Z$|Z$/, '');
