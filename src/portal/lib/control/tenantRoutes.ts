import { reportUrl } from '@vitrine/contract';
import { issueKey } from '../embedding/issueKey.ts';
import { emptyReply, jsonReply } from '../http/exchange.ts';
import { notFound } from '../http/portalFailure.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { validate } from '../service/validate.ts';
import { describeTenants } from '../tenants/describeTenants.ts';
import type { ControlContext, ControlRoute } from './controlRoutes.ts';
import { newTenantSchema, previewKeySchema } from './controlSchemas.ts';
import { tenantChangeSchema } from './portalControl.ts';
import { tenantNamed, tenantPath } from './tenantNamed.ts';

/** Routes that make, change and remove tenants, and that open a report in it. */
export const tenantRoutes = ({ services, control }: ControlContext): ControlRoute[] => [
  {
    method: 'GET',
    path: '/_control/tenants',
    handle: async () => jsonReply(200, { items: await describeTenants(services, { tenants: [] }) }),
  },
  {
    method: 'POST',
    path: '/_control/tenants',
    handle: async (request) => {
      const { template, tenancyName } = validate(newTenantSchema, readJsonBody(request));
      return jsonReply(
        201,
        await control.createTenant({
          ...(template !== undefined && { template }),
          ...(tenancyName !== undefined && { tenancyName }),
        }),
      );
    },
  },
  {
    method: 'DELETE',
    path: tenantPath,
    handle: async (_, { tenancyName = '' }) => {
      await control.removeTenant(tenancyName);
      return emptyReply(204);
    },
  },
  {
    method: 'PATCH',
    path: tenantPath,
    handle: async (request, { tenancyName = '' }) => {
      const { frameAncestors, actionTarget } = validate(tenantChangeSchema, readJsonBody(request));
      // The profile is stored as it was asked for, without the defaults that parsing fills in.
      const { profile } = readJsonBody(request) as { profile?: object };
      await control.changeTenant(tenancyName, {
        ...(frameAncestors !== undefined && { frameAncestors }),
        ...(profile !== undefined && { profile }),
        ...(actionTarget !== undefined && { actionTarget }),
      });
      return emptyReply(204);
    },
  },
  {
    method: 'POST',
    path: `${tenantPath}/keys`,
    handle: async (request, { tenancyName }) => {
      const tenant = await tenantNamed(services.db, tenancyName);
      const { itemId, userId, roleNames, lifetimeMs } = validate(previewKeySchema, readJsonBody(request));
      const item = await services.db
        .selectFrom('items')
        .select(['id', 'display_name'])
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', itemId)
        .executeTakeFirst();
      if (item === undefined) throw notFound('The item', 'itemId');
      const key = await issueKey(services, {
        tenant,
        item,
        userId,
        roleNames,
        expiresAtMs: services.clock.now() + lifetimeMs,
        actor: { userId: null, userEmail: 'console', ipAddress: request.ipAddress },
      });
      return jsonReply(201, { key, url: reportUrl(services.tenantUrl(tenant.tenancyName), itemId, key) });
    },
  },
];
