import { isRecord, member } from '../responses/jsonValues.ts';
import { readFields, readId } from '../responses/readFields.ts';
import type { RowReader } from './resourceTools.ts';

/**
 * A task: a webhook or a DAX query (docs/interface.md#2.5). The interface shows no fields; these are assumed from `gaps.md`.
 * The secret of a webhook is never returned.
 */
export interface Task {
  readonly id: string | number;
  readonly name?: string;
  readonly description?: string | null;
  /** `webhook` or `daxQuery`; other values are kept. */
  readonly kind?: string;
  /** Item ID, or the GUID of the item. */
  readonly reportId?: string | number | null;
  readonly visualNames?: readonly string[];
  readonly webhookUrl?: string | null;
  readonly hasSecret?: boolean;
  readonly enabled?: boolean;
  readonly [field: string]: unknown;
}

/** Reads a task: any object with an identifier. */
export const taskReader: RowReader<Task> = {
  noun: 'task',
  read: (value) => {
    if (!isRecord(value)) return undefined;
    const id = readId(member(value, 'id'));
    return id === undefined ? undefined : { ...readFields(value, fields), id };
  },
  idOf: (task) => String(task.id),
};

const fields = {
  name: 'text',
  description: 'textOrNull',
  kind: 'text',
  reportId: 'idOrNull',
  visualNames: 'texts',
  webhookUrl: 'textOrNull',
  hasSecret: 'boolean',
  enabled: 'boolean',
} as const;
