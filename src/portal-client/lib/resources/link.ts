import { isRecord, member } from '../responses/jsonValues.ts';
import { readFields, readId } from '../responses/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/** A link: an active Report Key or Slideshow link (docs/interface.md#2.5). The interface shows no fields; these are assumed. */
export interface Link {
  readonly id: string | number;
  /** `reportKey` or `slideshow`; other values are kept. */
  readonly kind?: string;
  readonly name?: string;
  /** Item ID, or the GUID of the item. */
  readonly reportId?: string | number | null;
  /** ISO 8601; null for a link that does not expire. */
  readonly expiresAt?: string | null;
  /** ISO 8601. */
  readonly createdAt?: string | null;
  readonly [field: string]: unknown;
}

/** Reads a link: any object with an identifier. */
export const linkReader: RowReader<Link> = {
  noun: 'link',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = readId(member(value, 'id'));
    return id === undefined ? undefined : { ...readFields(value, fields), id };
  },
  idOf: (link) => String(link.id),
};

const fields = {
  kind: 'text',
  name: 'text',
  reportId: 'idOrNull',
  expiresAt: 'textOrNull',
  createdAt: 'textOrNull',
} as const;
