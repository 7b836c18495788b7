import { randomUUID } from 'node:crypto';
import {
  emailKey,
  rootOrganizationUnitId,
  type ServiceNewRow,
  type ServiceRow,
} from '@vitrine/contract/service';
import { changeSchema } from '@vitrine/contract/service/schemas';
import { type Change, change } from '../change.ts';
import { newUser, serviceRow } from '../database/rows.ts';
import type { DirectoryPerson } from '../database/schema.ts';
import {
  changeRow,
  changesOf,
  countBy,
  findRow,
  insertRow,
  type Place,
  removeRow,
  rowsOf,
  updateRow,
} from '../database/tenantRows.ts';
import { conflict, invalidField, notFound } from '../http/portalFailure.ts';
import { nameKey } from '../nameKey.ts';
import { type Route, serviceRoute, tenantRoute, wholeList } from '../route.ts';
import { rejectReadOnlyChanges } from '../service/validate.ts';
import { changeKeys, requireFreeEmail } from './users.ts';

type Unit = ServiceRow<'organizationUnit'>;

/** All OUs of a tenant, in order of creation. */
const readUnits = async (place: Place): Promise<Unit[]> => {
  const rows = await rowsOf(place, 'organization_units');
  const countOf = await countBy(place, 'memberships', 'organizationUnitId');
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = (id: number | null): string => {
    const row = id === null ? undefined : byId.get(id);
    return row === undefined
      ? ''
      : `${pathOf(row.parentId)}/${row.name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  };
  return rows.map((row) =>
    serviceRow('organizationUnit', row, {
      id: String(row.id),
      parentId: row.parentId === null ? rootOrganizationUnitId : String(row.parentId),
      memberCount: countOf.get(row.id) ?? 0,
      path: pathOf(row.id),
    }),
  );
};

/** All OUs, and the one that a path names, or 404. */
const findUnit = async (place: Place, given: string | undefined) => {
  const units = await readUnits(place);
  const unit = units.find(({ id }) => id === given);
  if (unit === undefined) throw notFound('The organizational unit', 'ouId');
  return { units, unit, id: Number(unit.id) };
};

/** The unit and its ancestors, from the bottom up. A parent that is not in the list ends the chain. */
const lineOf = (units: readonly Unit[], id: string): readonly string[] => {
  const unit = units.find((candidate) => candidate.id === id);
  return unit === undefined ? [] : [id, ...lineOf(units, unit.parentId)];
};

/**
 * The columns of a new OU, or of a changed one if it has an `id`. Rejects a parent that does not exist or is below the
 * unit itself, and a duplicate name below the parent.
 */
const placeUnit = (
  units: readonly Unit[],
  unit: ServiceNewRow<'organizationUnit'> & { readonly id?: string },
) => {
  const { id, name, parentId, directoryGroupId = null } = unit;
  if (parentId !== rootOrganizationUnitId) {
    const line = lineOf(units, parentId);
    if (line.length === 0)
      throw invalidField('parentId', 'is not the identifier of an organizational unit of this tenant');
    if (id !== undefined && line.includes(id))
      throw invalidField('parentId', 'is the unit itself or a unit below it');
  }
  const same = units.find(
    (other) => other.parentId === parentId && nameKey(other.name) === nameKey(name) && other.id !== id,
  );
  if (same !== undefined) throw conflict('name', `unit ${same.id} already has this name and this parent`);
  return {
    name,
    parentId: parentId === rootOrganizationUnitId ? null : Number(parentId),
    directoryGroupId: directoryGroupId?.toLowerCase() ?? null,
  };
};

/** Organizational units (docs/interface.md#4.3). */
export const unitRoutes: readonly Route[] = [
  serviceRoute('listOrganizationUnits', wholeList(readUnits)),
  serviceRoute('createOrganizationUnit', (call) =>
    change(call, 'OrganizationUnitCreated', async (changing) => {
      const { db, tenantId, atMs } = changing;
      const { name, parentId, directoryGroupId = null } = call.body;
      const columns = placeUnit(await readUnits(changing), call.body);
      const row = await insertRow(db, 'organization_units', { ...columns, tenantId, createdAt: atMs });
      const { id, unit } = await findUnit(changing, String(row.id));
      return {
        id,
        description: `The unit "${name}" was created.`,
        details: { parentId, directoryGroupId },
        result: unit,
      };
    }),
  ),
  serviceRoute('syncOrganizationUnit', (call) =>
    change(call, 'OrganizationUnitSynced', (changing) => syncUnit(changing, call.params['ouId'])),
  ),
  tenantRoute(
    'PATCH /organization-units/{ouId}',
    'Renames a unit, moves it, or links it to another directory group.',
    {
      body: ['UnitChange', changeSchema('organizationUnit')],
      refusals: [409],
      handle: (call) =>
        change(call, 'OrganizationUnitUpdated', async (changing) => {
          const { units, unit, id } = await findUnit(changing, call.params['ouId']);
          rejectReadOnlyChanges('organizationUnit', { ...unit }, call.body);
          const {
            name = unit.name,
            parentId = unit.parentId,
            directoryGroupId = unit.directoryGroupId,
          } = call.body;
          const placed = placeUnit(units, { id: unit.id, name, parentId, directoryGroupId });
          const row = await findRow(changing, 'organization_units', id, 'ouId');
          return changeRow(changing, 'organization_units', row, placed);
        }),
    },
  ),
  tenantRoute(
    'DELETE /organization-units/{ouId}',
    'Removes a unit without units below it, and the memberships in it.',
    {
      refusals: [409],
      handle: (call) =>
        change(call, 'OrganizationUnitRemoved', async (changing) => {
          const { units, unit, id } = await findUnit(changing, call.params['ouId']);
          const below = units.filter(({ parentId }) => parentId === unit.id).length;
          if (below > 0)
            throw conflict(
              'ouId',
              `the unit "${unit.name}" has ${below} below it; remove or move those first`,
            );
          const lost = changing.db.deleteFrom('memberships').where('organizationUnitId', '=', id);
          const userIds = (await lost.returning('userId').execute()).map(({ userId }) => userId);
          const recorded = await removeRow(changing, 'organization_units', { id, name: unit.name });
          return { ...recorded, details: { userIds } };
        }),
    },
  ),
];

/**
 * Syncs the members of an OU with its directory group: creates missing users, updates changed names, and removes
 * members that an earlier synchronization added and that left the group. Manually added members stay.
 */
const syncUnit = async (changing: Change, given: string | undefined) => {
  const { db, tenantId } = changing;
  const { unit, id } = await findUnit(changing, given);
  if (unit.directoryGroupId === null)
    throw conflict('directoryGroupId', 'the unit is not linked to a group of the identity directory');
  const [stored] = await rowsOf(changing, 'directories', 'tenantId');
  const { people: known = [], groups = [] } = stored?.directory ?? {};
  const group = groups.find(({ id: groupId }) => groupId === unit.directoryGroupId);
  if (group === undefined)
    throw conflict('directoryGroupId', 'the linked group does not exist in the identity directory');
  const people = known.filter((person) => group.members.includes(person.id));
  const addedIds: number[] = [];
  let updated = 0;
  const memberIds: number[] = [];
  for (const person of people) {
    const { userId, isChanged } = await bringUser(changing, person);
    memberIds.push(userId);
    if (isChanged) updated += 1;
    const membership = await db
      .insertInto('memberships')
      .values({ tenantId: tenantId, userId: userId, organizationUnitId: id, source: 'directory' })
      .onConflict((clash) => clash.columns(['userId', 'organizationUnitId']).doNothing())
      .returning('userId')
      .executeTakeFirst();
    if (membership !== undefined) addedIds.push(userId);
  }
  const gone = await db
    .deleteFrom('memberships')
    .where('organizationUnitId', '=', id)
    .where('source', '=', 'directory')
    .$if(memberIds.length > 0, (query) => query.where('userId', 'not in', memberIds))
    .returning('userId')
    .execute();
  const removedIds = gone.map(({ userId }) => userId);
  const counts = { syncId: randomUUID(), added: addedIds.length, updated, removed: removedIds.length };
  return {
    id,
    description: `The unit "${unit.name}" was synchronized with the group "${group.name}".`,
    details: { ...counts, addedIds, removedIds },
    result: { status: 'completed', ...counts },
  };
};

/** Finds the user of a person, first by the directory's identifier, then by address, or creates one. */
const bringUser = async (changing: Change, person: DirectoryPerson) => {
  const { db, tenantId, atMs, record } = changing;
  const { email, firstName, lastName } = person;
  const users = await db
    .selectFrom('users')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where((either) =>
      either.or([either('directoryPersonId', '=', person.id), either('emailKey', '=', emailKey(email))]),
    )
    .execute();
  const known = users.find((user) => user.directoryPersonId === person.id) ?? users[0];
  if (known === undefined) {
    const { id: userId } = await insertRow(db, 'users', newUser(changing, person, person.id));
    await record('UserCreated', {
      id: userId,
      description: `The user ${email} was created from the identity directory.`,
    });
    return { userId, isChanged: false };
  }
  const { isUnchanged, details } = changesOf(known, { email, firstName, lastName });
  await requireFreeEmail(changing, email, known.id);
  if (known.email !== email) await changeKeys(changing, known.email, { userId: email });
  if (!isUnchanged || known.directoryPersonId !== person.id)
    await updateRow(changing, 'users', known.id, {
      email,
      emailKey: emailKey(email),
      firstName,
      lastName,
      directoryPersonId: person.id,
      updatedAt: atMs,
    });
  if (!isUnchanged)
    await record('UserUpdated', {
      id: known.id,
      details,
      description: `The user ${email} was updated from the identity directory.`,
    });
  return { userId: known.id, isChanged: !isUnchanged };
};
