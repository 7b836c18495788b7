import type { Kysely } from 'kysely';
import type { WebhookFormat } from '../actions/dispatcher.ts';
import type { Tables } from '../database/tables/tables.ts';
import { findTenantById } from '../tenants/findTenant.ts';
import { profileWebhook } from './profileWebhook.ts';
import { readProfile } from './readProfile.ts';

/** Finds how a tenant's webhooks are written. */
export const createWebhookFormat =
  (db: Kysely<Tables>) =>
  async (tenantId: number): Promise<WebhookFormat> => {
    const tenant = await findTenantById(db, tenantId);
    const profile = readProfile(tenant?.profile ?? '{}');
    const items =
      profile.webhookReportId === 'guid'
        ? []
        : await db.selectFrom('items').select(['id', 'guid']).where('tenant_id', '=', tenantId).execute();
    return profileWebhook(profile, (guid) => items.find((item) => item.guid === guid)?.id);
  };
