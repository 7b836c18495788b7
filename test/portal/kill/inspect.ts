import type { PortalTenant } from '@vitrine/portal';
import { administer } from '../administer.ts';
import { belongings, type Ledger, versionOf } from './ledger.ts';

type Row = Readonly<Record<string, any>>;

const readAll = async (tenant: PortalTenant, list: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await administer(tenant, `GET /v1/${list}?page=${page}&pageSize=200`);
    rows.push(...body.items);
    if (rows.length >= body.totalCount || body.items.length === 0) return rows;
  }
};

const idsOf = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(({ id }) => String(id)));

/** The rows of a portal before anybody writes. */
export const readSeeded = async (tenant: PortalTenant): Promise<Ledger['seeded']> => ({
  users: idsOf(await readAll(tenant, 'users')),
  roles: idsOf(await readAll(tenant, 'roles')),
  units: idsOf(await readAll(tenant, 'organization-units')),
});

/** The number of records of a type for each resource. */
const countRecords = (records: readonly Row[]): ((actionType: string, id: string | number) => number) => {
  const counts = new Map<string, number>();
  for (const { actionType, resourceId } of records) {
    const key = `${actionType} ${resourceId}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (actionType, id) => counts.get(`${actionType} ${id}`) ?? 0;
};

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);
const sorted = (values: readonly string[]): readonly string[] => [...values].sort();

/** Every partial, lost or unrecorded change in a restarted portal; empty if there is none. */
export const inspect = async (tenant: PortalTenant, ledger: Ledger): Promise<readonly string[]> => {
  const users = await readAll(tenant, 'users');
  const roles = await readAll(tenant, 'roles');
  const units = await readAll(tenant, 'organization-units');
  const records = await readAll(tenant, 'audit-logs');
  const recorded = countRecords(records);
  const wrong: string[] = [];
  const complainUnless = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what);
  };

  const byId = new Map(users.map((user) => [String(user['id']), user]));
  for (const { id, version, state } of ledger.users.values()) {
    const user = byId.get(id);
    if (state === 'there') complainUnless(user !== undefined, `the acknowledged user ${id} is lost`);
    if (state === 'removed') complainUnless(user === undefined, `the removed user ${id} is back`);
    complainUnless(
      recorded('UserDeleted', id) === (user === undefined ? 1 : 0),
      `user ${id} is ${user === undefined ? 'gone' : 'there'} with ${recorded('UserDeleted', id)} records of its removal`,
    );
    const shown = user === undefined ? version : versionOf(user['lastName']);
    complainUnless(shown >= version, `user ${id} shows ${shown} of ${version} acknowledged changes`);
  }
  for (const user of users) {
    const { id } = user;
    if (ledger.seeded.users.has(String(id))) continue;
    complainUnless(
      recorded('UserCreated', id) === 1,
      `user ${id} has ${recorded('UserCreated', id)} records of its creation`,
    );
    if (!String(user['email']).startsWith('writer-')) continue;
    const version = versionOf(user['lastName']);
    const wanted = belongings(version);
    complainUnless(
      same(sorted(user['roles']), wanted.roles) &&
        same(sorted(user['organizationUnits']), wanted.organizationUnits),
      `user ${id} is half changed: ${JSON.stringify(user)}`,
    );
    complainUnless(
      recorded('UserUpdated', id) === version,
      `user ${id} shows ${version} changes and has ${recorded('UserUpdated', id)} records of them`,
    );
  }
  for (const [what, rows, seeded, acknowledged, actionType] of [
    ['role', roles, ledger.seeded.roles, ledger.roleIds, 'RoleCreated'],
    ['unit', units, ledger.seeded.units, ledger.unitIds, 'OrganizationUnitCreated'],
  ] as const) {
    const there = idsOf(rows);
    for (const id of acknowledged) complainUnless(there.has(id), `the acknowledged ${what} ${id} is lost`);
    for (const id of there)
      complainUnless(
        seeded.has(id) || recorded(actionType, id) === 1,
        `${what} ${id} has ${recorded(actionType, id)} records of its creation`,
      );
    const phantom = records.find(
      (record) => record['actionType'] === actionType && !there.has(String(record['resourceId'])),
    );
    complainUnless(
      phantom === undefined,
      `a record of a ${what} that is not there: ${phantom?.['resourceId']}`,
    );
  }
  for (const { id, memberCount } of units.filter((unit) => !ledger.seeded.units.has(String(unit['id'])))) {
    const syncs = recorded('OrganizationUnitSynced', id);
    complainUnless(
      memberCount > 0 === syncs > 0,
      `unit ${id} has ${memberCount} members and ${syncs} records of a synchronization`,
    );
    complainUnless(
      syncs > 0 || !ledger.syncedUnitIds.has(String(id)),
      `the acknowledged synchronization of ${id} is lost`,
    );
  }
  return wrong;
};
