import type { ItemAdditionalData } from '@vitrine/contract/service';
import { asText, firstMember, isRecord, member } from '../responses/jsonValues.ts';
import { isTextList, readFields } from '../responses/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/**
 * An item as the service returns it. The interface only shows the sent fields (2.4).
 * Assumed from `gaps.md`: the sent fields come back, with both forms of the Item ID.
 */
export interface Item {
  /** Item ID as a number: the form of the embedding interface (4.6). Undefined if the service returns none. */
  readonly id: number | undefined;
  /** Item ID as a GUID: the form of the webhooks (6.1). Undefined if the service returns none. */
  readonly guid: string | undefined;
  readonly type?: string;
  /** GUID of the workspace of the BI platform. */
  readonly workspaceId?: string;
  /** GUID of the report in the BI platform; not a form of the item ID. */
  readonly reportId?: string;
  readonly displayName?: string;
  /** Role names that apply to the item. */
  readonly roles?: readonly string[];
  readonly additionalData?: readonly ItemAdditionalData[];
  /** Other fields that the service returns; not in the interface. */
  readonly [field: string]: unknown;
}

const guidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A GUID in lower case, or undefined. */
export const asGuid = (value: unknown): string | undefined =>
  typeof value === 'string' && guidPattern.test(value.trim()) ? value.trim().toLowerCase() : undefined;

/** An Item ID as a number, also from text, or undefined. */
export const asItemNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

/** Reads an item. `reportId` is never used as the Item ID. */
export const itemReader: RowReader<Item> = {
  noun: 'item',
  read: (value) => {
    if (!isRecord(value) || !isTextList(value['roles'])) return undefined;
    const id = asItemNumber(member(value, 'id'));
    const guid = firstMember(value, ['guid', 'id'], asGuid);
    if (id === undefined && guid === undefined) return undefined;
    const { additionalData: _, ...fields } = readFields(value, itemFields);
    const additionalData = readAdditionalData(member(value, 'additionalData'));
    return { ...fields, ...(additionalData !== undefined && { additionalData }), id, guid };
  },
  idOf: (item) => String(item.id ?? item.guid),
};

const itemFields = {
  type: 'text',
  workspaceId: 'text',
  reportId: 'text',
  displayName: 'text',
  roles: 'texts',
} as const;

const readAdditionalData = (value: unknown): readonly ItemAdditionalData[] | undefined =>
  Array.isArray(value)
    ? value.filter(isRecord).map((entry) => ({
        ...entry,
        type: asText(member(entry, 'type')) ?? '',
        id: asText(member(entry, 'id')) ?? '',
        hasRls: member(entry, 'hasRls') === true,
      }))
    : undefined;
