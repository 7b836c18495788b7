import type { AuditActionType } from '@vitrine/contract/service';
import { PortalError } from '../errors/portalError.ts';
import { rowDigest } from '../paging/rowKeys.ts';
import type { RowReader } from '../resources/resourceTools.ts';
import { asFilledText, asText, isRecord, member } from '../responses/jsonValues.ts';
import { readFields, readId } from '../responses/readFields.ts';

/**
 * One administrative event (docs/interface.md#2.6, #6.2). The interface shows no fields: all of these are assumed from
 * `gaps.md`; `details` stays unchanged.
 */
export interface AuditRecord {
  /** The service's identifier, or `~` and a digest of the whole record if it has none. */
  readonly id: string | number;
  /** Event type; any text. */
  readonly actionType?: AuditActionType;
  /** When it happened, ISO 8601 in UTC. Absent if no time can be read. */
  readonly timestamp?: string;
  /** Internal number of the user. */
  readonly userId?: unknown;
  readonly userEmail?: string | null;
  readonly resourceType?: string | null;
  readonly resourceId?: unknown;
  readonly description?: string | null;
  readonly result?: string | null;
  readonly ipAddress?: string | null;
  readonly details?: unknown;
  /** Other fields that the service returns. */
  readonly [field: string]: unknown;
}

/** The declared fields of an {@link AuditRecord}, without its index signature. */
type DeclaredField = keyof {
  readonly [TField in keyof AuditRecord as string extends TField
    ? never
    : number extends TField
      ? never
      : TField]: unknown;
};

/** Names of the fields that an {@link AuditRecord} declares, in the order of a table. */
export const auditRecordFields = [
  'id',
  'timestamp',
  'actionType',
  'userId',
  'userEmail',
  'resourceType',
  'resourceId',
  'description',
  'result',
  'ipAddress',
  'details',
] as const satisfies readonly DeclaredField[];

/** Reads an audit record: accepts any object. */
export const auditRecordReader: RowReader<AuditRecord> = {
  noun: 'audit record',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = readId(member(value, 'id'));
    const actionType = asFilledText(member(value, 'actionType'));
    const timestamp = asInstant(member(value, 'timestamp'));
    const { actionType: _, timestamp: __, ...rest } = readFields(value, fields);
    return {
      ...rest,
      id: id ?? `~${rowDigest(value)}`,
      ...(actionType !== undefined && { actionType }),
      ...(timestamp !== undefined && { timestamp }),
    };
  },
  // Records without an identifier may be equal but separate events; the list distinguishes them itself.
  idOf: (record) => (String(record.id).startsWith('~') ? undefined : String(record.id)),
};

const fields = {
  userEmail: 'textOrNull',
  resourceType: 'textOrNull',
  description: 'textOrNull',
  result: 'textOrNull',
  ipAddress: 'textOrNull',
} as const;

/**
 * Converts a time to ISO 8601 in UTC: text with or without a zone (then UTC), or milliseconds or seconds since 1970.
 */
const asInstant = (value: unknown): string | undefined => {
  if (typeof value === 'number') return toIso(Math.abs(value) < 1e11 ? value * 1000 : value);
  const text = asText(value)?.trim();
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const hasZone = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text);
  const hasTime = /\d{2}:\d{2}/.test(text);
  return toIso(Date.parse(hasZone || !hasTime ? text : `${text}Z`));
};

const toIso = (ms: number): string | undefined =>
  Number.isFinite(ms) && Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;

/** Milliseconds since 1970 of a record. Throws when its time cannot be read. */
export const requireTime = (record: AuditRecord): number => {
  const ms = Date.parse(record.timestamp ?? '');
  if (!Number.isNaN(ms)) return ms;
  throw new PortalError(
    'An audit record has no readable time, so follow() cannot track its position. Use auditLogs.list instead, or return the field timestamp with {adapt}.',
    {
      kind: 'invalid_response',
      code: 'audit_without_time',
      request: { method: 'GET', path: '/v1/audit-logs' },
    },
  );
};
