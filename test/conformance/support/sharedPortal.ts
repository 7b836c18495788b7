import { createContext, type Effect, type Target, type TenantAccess } from '@vitrine/conformance';
import { mintPermissions } from '@vitrine/contract/service';
import { createPortal, defaultSeed, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll } from 'vitest';
import { portalEnv } from '../../packages/harness/portalEnv.ts';
import { startStandInPortal } from '../../support/standInPortal.ts';
import { actionTasks, captureActions } from './captureActions.ts';

const accessOf = ({
  items: _items,
  roleNames: _roleNames,
  webhookSecret: _secret,
  ...access
}: PortalTenant): TenantAccess => access;

const apiKey = 'conformance-key-of-the-tenant';
const apiKeyWithoutPermissions = 'conformance-key-without-permissions';
const apiKeys = [
  // Only the two permissions of the interface (4.6), not our finer ones.
  { name: 'Tenant', key: apiKey, permissions: [...mintPermissions] },
  { name: 'Nothing', key: apiKeyWithoutPermissions, permissions: [] },
];

/** A task and a link for a tenant that has none. */
const taskAndLink = (itemId: number) => ({
  tasks: [{ name: 'Of the other tenant', kind: 'webhook' as const, itemId, visualNames: [] }],
  slideshows: [{ name: 'Of the other tenant', itemId }],
});

/** Fills the audit log beyond the largest page, for the checks of pages. */
export const fillAuditLog = async (target: Target): Promise<void> => {
  const { mint } = createContext(target, 'audit');
  for (let events = 0; events <= 200; events += 1) await mint();
};

/** Starts a portal in this process with its default companies and an additional key without permissions. */
const startPortalUnderTest = async (database: string, hasActions: boolean) => {
  const [first, ...others] = defaultSeed.tenants;
  if (first === undefined) throw new Error('The default seed of the portal has no tenant.');
  const sales = first.items?.find(({ report }) => report === 'sales');
  const allRows = first.roles?.find(({ rule }) => rule?.kind === 'all');
  const receiver = await startStandInPortal();
  const portal = await createPortal({
    database,
    seed: {
      tenants: [
        {
          ...first,
          apiKeys,
          tasks: [
            ...(first.tasks ?? []).filter(({ kind }) => kind === 'daxQuery'),
            ...actionTasks(sales?.id ?? 0, receiver.url),
          ],
        },
        ...others.map((other) => ({ ...other, ...taskAndLink(other.items?.[0]?.id ?? 0) })),
      ],
    },
  });
  const [tenant, second] = portal.tenants;
  if (tenant === undefined || second === undefined) throw new Error('The portal has fewer than two tenants.');
  const [open, another] = tenant.items.filter(({ hasRls }) => !hasRls);
  const filtered = tenant.items.find(({ hasRls }) => hasRls);
  const group = first.directory?.groups?.[0];
  const access = {
    ...accessOf(tenant),
    tenantIdHeader: 'Svc.TenantId',
    permits: new Set<Effect>(['read', 'mint', 'write']),
  };
  const item = tenant.items.find(({ id }) => id === sales?.id);
  if (item === undefined || !allRows?.code)
    throw new Error('The default seed of the portal has no sales report, or no role for all rows.');
  const roleName = allRows.code;
  const actions = hasActions
    ? await captureActions({ portal, target: access, item, roleName, receiver })
    : undefined;
  await receiver.close();
  const target: Target = {
    ...access,
    ...(actions && { actions }),
    secondTenant: accessOf(second),
    apiKeyWithoutPermissions,
    ...(open && { itemId: open.id }),
    ...(another && { otherItemId: another.id }),
    ...(filtered && { rlsItemId: filtered.id }),
    ...(tenant.roleNames[0] !== undefined && { roleName: tenant.roleNames[0] }),
    ...(tenant.roleNames[1] !== undefined && { otherRoleName: tenant.roleNames[1] }),
    viewer: 'north.manager@acme.example',
    ...(group !== undefined && { directoryGroupId: group.id }),
  };
  return { portal, target };
};

/**
 * Starts a portal before the tests of a file or a `describe`, and closes it after them. Returns how to get it. Clicks
 * are captured only for checks of webhooks.
 */
export const sharedPortal = (database = ':memory:', { hasActions = false } = {}) => {
  let started: Awaited<ReturnType<typeof startPortalUnderTest>> | undefined;
  beforeAll(async () => {
    started = await startPortalUnderTest(database, hasActions);
  });
  afterAll(() => started?.portal.close());
  return () => {
    if (started === undefined) throw new Error('The portal starts before the first test, not earlier.');
    return started;
  };
};

/** The variables that describe a target to `vitrine conformance`. */
export const environmentOf = (target: Target) => ({ VITRINE_BASE_URL: target.baseUrl, ...portalEnv(target) });
