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

/** Fills the audit log beyond the largest page, for the checks of pages. */
export const fillAuditLog = async (target: Target): Promise<void> => {
  const { mint } = createContext(target, 'audit');
  for (let events = 0; events <= 200; events += 1) await mint();
};

/** Starts a portal in this process with its default companies and an additional key without permissions. */
const startPortalUnderTest = async (database: string, hasActions: boolean) => {
  const receiver = await startStandInPortal();
  const [seeded] = defaultSeed.tenants;
  const tasks = [
    ...(seeded?.tasks ?? []).filter(({ kind }) => kind === 'daxQuery'),
    ...actionTasks(1042, receiver.url),
  ];
  const otherName = 'Of the other tenant';
  const portal = await createPortal({
    database,
    seed: {
      tenants: defaultSeed.tenants.map((tenant) =>
        tenant === seeded
          ? { ...tenant, apiKeys, tasks }
          : {
              ...tenant,
              tasks: [{ name: otherName, kind: 'webhook', itemId: 2001, visualNames: [] }],
              slideshows: [{ name: otherName, itemId: 2001 }],
            },
      ),
    },
  });
  const [tenant, second] = portal.tenants;
  const [item] = tenant?.items ?? [];
  const [group] = seeded?.directory?.groups ?? [];
  if (!tenant || !second || !item || !group) throw new Error('The default seed has changed.');
  const access = {
    ...accessOf(tenant),
    tenantIdHeader: 'Svc.TenantId',
    permits: new Set<Effect>(['read', 'mint', 'write']),
  };
  const actions = hasActions && (await captureActions({ portal, target: access, item, receiver }));
  await receiver.close();
  const target: Target = {
    ...access,
    ...(actions && { actions }),
    secondTenant: accessOf(second),
    apiKeyWithoutPermissions,
    itemId: 1043,
    otherItemId: 1045,
    rlsItemId: 1042,
    roleName: 'region-north',
    otherRoleName: 'region-south',
    viewer: 'north.manager@acme.example',
    directoryGroupId: group.id,
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
