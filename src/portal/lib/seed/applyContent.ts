import { taskRow } from '../actions/taskRow.ts';
import { insertAll } from '../database/insertAll.ts';
import { derivedGuid } from './derivedGuid.ts';
import { developmentWebhookSecret } from './developmentSecrets.ts';
import type { SeedContext } from './seedContext.ts';
import type { SeedTenant } from './seedSchema.ts';

/** Writes a tenant's items, tasks and slideshows; its reports use the rows of `dataset`. */
export const applyContent = async (
  { db, nowMs }: SeedContext,
  seed: SeedTenant,
  dataset: string,
): Promise<void> => {
  const tenant_id = seed.tenantId;
  await insertAll(
    db,
    'items',
    seed.items.map((item) => ({
      tenant_id,
      id: item.id,
      guid: item.guid ?? derivedGuid(`item:${seed.tenancyName}:${item.id}`),
      type: item.type,
      workspace_id: item.workspaceId ?? derivedGuid(`workspace:${seed.tenancyName}`),
      report_id: item.reportId ?? derivedGuid(`report:${seed.tenancyName}:${item.id}`),
      display_name: item.displayName,
      roles: JSON.stringify(item.roles),
      additional_data: JSON.stringify([
        {
          type: 'semanticModel',
          id: derivedGuid(`model:${seed.tenancyName}:${item.report}`),
          hasRls: item.hasRls,
        },
      ]),
      has_rls: Number(item.hasRls),
      report: item.report,
      dataset,
      created_at: nowMs,
    })),
  );
  await insertAll(
    db,
    'tasks',
    seed.tasks.map((task) =>
      taskRow(task, {
        tenantId: tenant_id,
        secret: task.kind === 'webhook' ? secretOf(task, seed.tenancyName) : null,
        createdAtMs: nowMs,
      }),
    ),
  );
  await insertAll(
    db,
    'links',
    seed.slideshows.map((link) => ({
      tenant_id,
      kind: 'slideshow',
      name: link.name,
      item_id: link.itemId,
      user_id: null,
      expires_at: null,
      requested_expires_at: null,
      revoked_at: null,
      created_at: nowMs,
    })),
  );
};

/** The secret of a webhook task; `null` in the seed means that it has none. */
const secretOf = ({ secret }: SeedTenant['tasks'][number], tenancyName: string): string | null =>
  secret === undefined ? developmentWebhookSecret(tenancyName) : secret;
