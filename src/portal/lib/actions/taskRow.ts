import type { Insertable } from 'kysely';
import type { Tables } from '../database/schema.ts';

/** A task in seeds and in the control interface. */
export interface NewTask {
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly itemId?: number | undefined;
  readonly visualNames: readonly string[];
  readonly webhookUrl?: string | undefined;
  readonly query?: string | undefined;
  readonly enabled: boolean;
}

/** Tenant, secret and creation time of a task. */
export interface TaskPlace {
  readonly tenantId: number;
  readonly secret: string | null;
  readonly createdAtMs: number;
}

/** The row of a new task. */
export const taskRow = (task: NewTask, place: TaskPlace): Insertable<Tables['tasks']> => ({
  tenant_id: place.tenantId,
  name: task.name,
  description: task.description,
  kind: task.kind,
  item_id: task.itemId ?? null,
  visual_names: JSON.stringify(task.visualNames),
  webhook_url: task.webhookUrl ?? null,
  secret: place.secret,
  query: task.query ?? null,
  is_enabled: Number(task.enabled),
  created_at: place.createdAtMs,
});
