import { randomBytes } from 'node:crypto';
import { type Actor, change } from '../change.ts';
import { nextTenantNumber } from '../database/state.ts';
import { conflict, invalidField } from '../http/portalFailure.ts';
import { applyTenant, type SeedContext } from '../seed/applySeed.ts';
import { type ParsedSeed, type SeedTenant, subdomainSchema } from '../seed/seedSchema.ts';
import { validate } from '../service/validate.ts';
import { findTenant } from '../tenant.ts';
import type { PortalTenant } from './describeTenants.ts';

/** Options of a new tenant. */
export interface NewTenantOptions {
  /** Tenant of the seed to copy. Default: the first one. */
  readonly template?: string | undefined;
  /** Subdomain. Default: the template's with a number appended. */
  readonly tenancyName?: string | undefined;
}

/** A new tenant, with its secrets, which are stored nowhere else. */
export type NewTenant = Pick<PortalTenant, 'tenantId' | 'tenancyName' | 'apiKey' | 'passPhrase'>;

const templateOf = (seed: ParsedSeed, name: string | undefined): SeedTenant => {
  const found = seed.tenants.find(({ tenancyName }) => name === undefined || tenancyName === name);
  if (found === undefined)
    throw invalidField(
      'template',
      `must be a tenant of the seed: ${seed.tenants.map((tenant) => tenant.tenancyName).join(', ')}`,
    );
  return found;
};

/**
 * Creates a copy of a tenant of the seed, with its own keys. Its reports share the template's rows, which are
 * immutable: so a tenant costs a few milliseconds, and every test can have one.
 */
export const createTenant = async (
  context: SeedContext,
  seed: ParsedSeed,
  { options, actor }: { readonly options: NewTenantOptions; readonly actor: Actor },
): Promise<NewTenant> => {
  const template = templateOf(seed, options.template);
  return context.db.transaction().execute(async (db) => {
    const tenantId = await nextTenantNumber(db);
    const tenancyName = options.tenancyName ?? `${template.tenancyName}-${tenantId}`;
    validate(subdomainSchema, tenancyName, 'tenancyName');
    if ((await findTenant(db, tenancyName)) !== undefined)
      throw conflict('tenancyName', `the tenant "${tenancyName}" already exists`);
    const random = randomBytes(18).toString('base64url');
    const apiKey = `development-only-api-key.${tenancyName}.${random}`;
    const passPhrase = `development-only-passphrase.${tenancyName}.${random}`;
    await applyTenant(
      { ...context, db },
      {
        ...template,
        tenantId,
        tenancyName,
        apiKeys: [{ name: 'Development', key: apiKey }],
        passPhrase,
        items: template.items.map(({ guid: _, ...item }) => item),
      },
      template.tenancyName,
    );
    await change(
      { services: { db, clock: { now: () => context.atMs } }, tenant: { id: tenantId }, actor },
      'TenantCreated',
      async () => ({
        id: tenantId,
        description: `The tenant "${tenancyName}" was created as a copy of "${template.tenancyName}".`,
      }),
    );
    return { tenantId, tenancyName, apiKey, passPhrase };
  });
};
