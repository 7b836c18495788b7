import { Agent } from 'node:http';
import { createPortal, defaultSeed, type Portal, type PortalSeed, type PortalTenant } from '@vitrine/portal';
import { administer } from '../administer.ts';
import { mintKey } from '../mint.ts';
import type { FuzzRules } from './checkResponse.ts';
import type { FuzzWorld, IdsByKind } from './generatedRequest.ts';
import type { FuzzAddress } from './sendGenerated.ts';

/** Occurs in everything that the other tenant owns. */
const mark = 'Nobody-but-initech';

const initechSeed: PortalSeed['tenants'][number] = {
  tenantId: 303,
  tenancyName: 'initech',
  displayName: `${mark} company`,
  roles: [{ name: `${mark} role`, type: 'RLS', code: `${mark}-code`, rule: { kind: 'all' } }],
  organizationUnits: [{ id: 'top', name: `${mark} unit`, parentId: 'root' }],
  users: [
    {
      type: 'UserPass',
      email: `${mark}@initech.example`,
      firstName: mark,
      lastName: mark,
      roles: [`${mark} role`],
      organizationUnits: ['top'],
    },
  ],
  items: [{ id: 3001, type: 'report', displayName: `${mark} report`, report: 'summary' }],
  tasks: [{ name: `${mark} task`, kind: 'webhook', itemId: 3001, visualNames: [] }],
  slideshows: [{ name: `${mark} screen`, itemId: 3001 }],
};

/** A portal to fuzz, and the data of its other tenant. */
export interface FuzzedPortal {
  readonly portal: Portal;
  readonly acme: PortalTenant;
  readonly initech: PortalTenant;
  readonly rules: FuzzRules;
  readonly address: FuzzAddress;
  /** Everything that the other tenant owns, unchanged. */
  readonly otherTenant: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const lists = ['users', 'roles', 'organization-units', 'items', 'tasks', 'links', 'audit-logs'];

/** Starts a portal with the default tenants and one more that nobody may see. */
export const startFuzzedPortal = async (database = ':memory:'): Promise<FuzzedPortal> => {
  const portal = await createPortal({ database, seed: { tenants: [...defaultSeed.tenants, initechSeed] } });
  const acme = portal.tenants.find(({ tenancyName }) => tenancyName === 'acme');
  const other = portal.tenants.find(({ tenancyName }) => tenancyName === 'initech');
  if (acme === undefined || other === undefined) throw new Error('The seed has acme and initech.');
  const ids = async (tenant: PortalTenant, list: string): Promise<string[]> =>
    (await administer(tenant, `GET /v1/${list}`)).body.items.map(({ id }: { id: unknown }) => String(id));
  const idsOf = async (tenant: PortalTenant): Promise<IdsByKind> => ({
    user: await ids(tenant, 'users'),
    unit: await ids(tenant, 'organization-units'),
    item: await ids(tenant, 'items'),
  });
  const foreign = await idsOf(other);
  const world: FuzzWorld = {
    apiKey: acme.apiKey,
    passPhrase: acme.passPhrase,
    tenantId: acme.tenantId,
    reportId: '1042',
    reportKey: await mintKey({ tenant: acme, itemId: 1042, roleNames: ['all-regions'] }),
    own: await idsOf(acme),
    foreign,
    foreignIds: [
      ...foreign.user.map(Number),
      ...foreign.unit,
      ...other.items.flatMap(({ id, guid }) => [id, guid]),
      other.tenantId,
      other.tenancyName,
    ],
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return {
    portal,
    acme,
    initech: other,
    rules: { world, mark, secrets: [acme.apiKey, acme.passPhrase, other.apiKey, other.passPhrase] },
    address: { port: Number(new URL(portal.url).port), tenancyName: 'acme', agent },
    otherTenant: async () =>
      Object.fromEntries(
        await Promise.all(
          lists.map(async (list) => [list, (await administer(other, `GET /v1/${list}`)).body] as const),
        ),
      ),
    close: async () => {
      agent.destroy();
      await portal.close();
    },
  };
};
