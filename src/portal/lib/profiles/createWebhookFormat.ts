import type { ActionWebhookBody } from '@vitrine/contract/service';
import type { Kysely } from 'kysely';
import type { WebhookFormat } from '../actions/dispatcher.ts';
import type { Tables } from '../database/tables/tables.ts';
import { findTenantById } from '../tenants/findTenants.ts';
import type { Profile } from './profileSchema.ts';
import { readProfile } from './readProfile.ts';

const asText = (body: ActionWebhookBody): ActionWebhookBody => ({
  ...body,
  visualData: body.visualData.map((visual) => ({
    ...visual,
    data: visual.data.map((point) => ({
      identity: point.identity.map((part) => ({ ...part, equals: String(part.equals) })),
      values: point.values.map((measure) => ({ ...measure, value: String(measure.value) })),
    })),
  })),
});

/** The webhook format of a tenant with this profile. `itemNumberOf` maps a GUID to its number. */
const profileWebhook = (
  profile: Profile,
  itemNumberOf: (guid: string) => number | undefined,
): WebhookFormat => ({
  authorization: (secret) =>
    profile.webhookAuthorization === 'bare' ? secret : `${profile.webhookAuthorization} ${secret}`,
  body: (original) => {
    const { metadata, visualData } = profile.webhookValues === 'text' ? asText(original) : original;
    const sent =
      profile.webhookReportId === 'number'
        ? { ...metadata, reportId: String(itemNumberOf(metadata.reportId) ?? metadata.reportId) }
        : metadata;
    switch (profile.webhookBody) {
      case 'object':
        return { metadata: sent, visualData };
      case 'renamed':
        return { metadata: sent, visuals: visualData };
      case 'flat':
        return { ...sent, visualData };
      case 'array':
        return [sent, ...visualData];
    }
  },
});

/** Finds the webhook format of a tenant. */
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
