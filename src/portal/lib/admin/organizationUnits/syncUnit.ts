import { emailKey } from '@vitrine/contract/service';
import type { Change } from '../../audit/recordedChange.ts';
import type { Actor } from '../../audit/writeAuditRecord.ts';
import { conflict, notFound } from '../../http/portalFailure.ts';
import { requireFreeEmail } from '../users/userReferences.ts';
import { insertUser } from '../users/writeUsers.ts';

/** The unit to synchronize, and the actor. */
export interface SyncInput {
  readonly unitId: number;
  readonly actor: Actor;
  /** Identifies this synchronization in its audit record. */
  readonly syncId: string;
}

/** The changes of a synchronization. */
export interface SyncCounts {
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
}

/**
 * Syncs the members of an OU with its directory group: creates missing users, updates changed names, and removes
 * members that an earlier synchronization added and that left the group. Manually added members stay.
 */
export const syncUnit = async (change: Change, input: SyncInput): Promise<SyncCounts> => {
  const { db, tenantId } = change;
  const { unitId, actor } = input;
  const unit = await db
    .selectFrom('organization_units')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', unitId)
    .executeTakeFirstOrThrow(() => notFound('The organizational unit', 'ouId'));
  if (unit.directory_group_id === null)
    throw conflict('directoryGroupId', 'the unit is not linked to a group of the identity directory');
  const group = await db
    .selectFrom('directory_groups')
    .select('name')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', unit.directory_group_id)
    .executeTakeFirst();
  if (group === undefined)
    throw conflict('directoryGroupId', 'the linked group does not exist in the identity directory');
  const people = await db
    .selectFrom('directory_members')
    .innerJoin('directory_people', (join) =>
      join
        .onRef('directory_people.id', '=', 'directory_members.person_id')
        .onRef('directory_people.tenant_id', '=', 'directory_members.tenant_id'),
    )
    .selectAll('directory_people')
    .where('directory_members.tenant_id', '=', tenantId)
    .where('directory_members.group_id', '=', unit.directory_group_id)
    .orderBy('directory_people.email')
    .execute();

  let added = 0;
  let updated = 0;
  const memberIds: number[] = [];
  for (const person of people) {
    const { userId, isChanged } = await bringUser(change, actor, person);
    memberIds.push(userId);
    if (isChanged) updated += 1;
    const membership = await db
      .insertInto('memberships')
      .values({
        tenant_id: tenantId,
        user_id: userId,
        organization_unit_id: unitId,
        source: 'directory',
      })
      .onConflict((clash) => clash.columns(['user_id', 'organization_unit_id']).doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (membership !== undefined) added += 1;
  }
  const gone = await db
    .deleteFrom('memberships')
    .where('organization_unit_id', '=', unitId)
    .where('source', '=', 'directory')
    .$if(memberIds.length > 0, (query) => query.where('user_id', 'not in', memberIds))
    .returning('user_id')
    .execute();
  const counts = { added, updated, removed: gone.length };
  await change.record({
    actionType: 'OrganizationUnitSynced',
    actor,
    resourceType: 'OrganizationUnit',
    resourceId: unitId,
    description: `The unit "${unit.name}" was synchronized with the group "${group.name}".`,
    details: { syncId: input.syncId, ...counts },
  });
  return counts;
};

interface Person {
  readonly id: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly type: string;
}

/** Finds the user of a person, first by the directory's identifier, then by address, or creates one. */
const bringUser = async (
  change: Change,
  actor: Actor,
  person: Person,
): Promise<{ readonly userId: number; readonly isChanged: boolean }> => {
  const { db, tenantId, atMs, record } = change;
  const fields = {
    email: person.email,
    first_name: person.first_name,
    last_name: person.last_name,
    directory_person_id: person.id,
  };
  const users = await db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((either) =>
      either.or([
        either('directory_person_id', '=', person.id),
        either('email_key', '=', emailKey(person.email)),
      ]),
    )
    .execute();
  const known = users.find((user) => user.directory_person_id === person.id) ?? users[0];
  const audit = { actor, resourceType: 'User' };
  if (known === undefined) {
    const id = await insertUser(change, { ...fields, type: person.type });
    await record({
      ...audit,
      actionType: 'UserCreated',
      resourceId: id,
      description: `The user ${person.email} was created from the identity directory.`,
    });
    return { userId: id, isChanged: false };
  }
  const isChanged =
    known.email !== person.email ||
    known.first_name !== person.first_name ||
    known.last_name !== person.last_name;
  await requireFreeEmail(change, person.email, known.id);
  if (isChanged || known.directory_person_id !== person.id)
    await db
      .updateTable('users')
      .set({ ...fields, email_key: emailKey(person.email), updated_at: atMs })
      .where('id', '=', known.id)
      .execute();
  if (isChanged)
    await record({
      ...audit,
      actionType: 'UserUpdated',
      resourceId: known.id,
      description: `The user ${person.email} was updated from the identity directory.`,
    });
  return { userId: known.id, isChanged };
};
