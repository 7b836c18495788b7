import { reportUrl } from '@vitrine/contract';
import { notFound } from '../http/portalFailure.ts';
import { issueKey } from '../keys/issueKey.ts';
import { describeTenants } from '../tenants/describeTenants.ts';
import { controlAnswers } from './controlAnswers.ts';
import { type ControlRoute, controlRoute, tenantPath, tenantRoute } from './controlRoute.ts';
import { newTenantSchema, previewKeySchema } from './controlSchemas.ts';
import { tenantChangeSchema } from './portalControl.ts';

/** Routes that create, change and remove tenants, and that open reports. */
export const tenantRoutes: readonly ControlRoute[] = [
  controlRoute({
    method: 'GET',
    path: '/tenants',
    summary: 'All tenants, with their development secrets.',
    status: 200,
    answer: controlAnswers.tenants,
    handle: async ({ services }) => ({ items: await describeTenants(services, { tenants: [] }) }),
  }),
  controlRoute({
    method: 'POST',
    path: '/tenants',
    summary: 'Creates a copy of a tenant of the seed, with its own keys.',
    body: ['NewTenant', newTenantSchema],
    status: 201,
    answer: controlAnswers.tenant,
    handle: async ({ control, body: { template, tenancyName } }) =>
      control.createTenant({
        ...(template !== undefined && { template }),
        ...(tenancyName !== undefined && { tenancyName }),
      }),
  }),
  controlRoute({
    method: 'DELETE',
    path: tenantPath,
    summary: 'Removes a tenant and all of its data.',
    status: 204,
    handle: async ({ control, params: { tenancyName = '' } }) => control.removeTenant(tenancyName),
  }),
  controlRoute({
    method: 'PATCH',
    path: tenantPath,
    summary: 'Changes who may frame the reports, and the target of its webhooks.',
    body: ['TenantChange', tenantChangeSchema],
    status: 204,
    handle: async ({ control, params: { tenancyName = '' }, body }) => {
      const { frameAncestors, actionTarget } = body;
      await control.changeTenant(tenancyName, {
        ...(frameAncestors !== undefined && { frameAncestors }),
        ...(actionTarget !== undefined && { actionTarget }),
      });
    },
  }),
  tenantRoute({
    method: 'POST',
    path: '/keys',
    summary: 'Creates a key for a given user and roles, and its report address.',
    body: ['PreviewKey', previewKeySchema],
    status: 201,
    answer: controlAnswers.key,
    handle: async ({ services, tenant, request, body }) => {
      const { itemId, userId, roleNames, lifetimeMs } = body;
      const item = await services.db
        .selectFrom('items')
        .select(['id', 'display_name'])
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', itemId)
        .executeTakeFirstOrThrow(() => notFound('The item', 'itemId'));
      const key = await issueKey(services, {
        tenant,
        item,
        userId,
        roleNames,
        expiresAtMs: services.clock.now() + lifetimeMs,
        actor: { userId: null, userEmail: 'console', ipAddress: request.ipAddress },
      });
      return { key, url: reportUrl(services.tenantUrl(tenant.tenancyName), itemId, key) };
    },
  }),
];
