import { recordedChange } from '../../audit/recordedChange.ts';
import { emptyReply, jsonReply } from '../../http/exchange.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actor.ts';
import { cutOf, listSchema, usersPagingSchema } from '../paging.ts';
import { readUserPage } from './readUserPage.ts';
import { findUserRow, readUser, toUserBodies, userIdInPath } from './readUsers.ts';
import { findRoleIds, findUnitIds, replaceRoles, replaceUnits, requireFreeEmail } from './userReferences.ts';
import { createUserSchema, updateUserSchema, userSchema } from './userSchemas.ts';

const shared = { tag: 'Users', section: '4.1', permission: 'Administration.Users' } as const;

/** `GET /v1/users` */
const listUsers = defineOperation({
  ...shared,
  method: 'GET',
  path: '/v1/users',
  operationId: 'listUsers',
  summary: 'Paginated list of users, in the order they were created.',
  query: usersPagingSchema,
  success: { status: 200, schema: listSchema(userSchema) },
  handle: async ({ services, tenant, query }) => {
    const { rows, totalCount } = await readUserPage(services.db, tenant.id, cutOf(query));
    return jsonReply(200, {
      items: await toUserBodies(services.db, rows),
      totalCount,
      page: query.page,
      pageSize: query.pageSize,
    });
  },
});

/** `POST /v1/users` */
const createUser = defineOperation({
  ...shared,
  method: 'POST',
  path: '/v1/users',
  operationId: 'createUser',
  summary: 'Creates a user.',
  body: createUserSchema,
  success: { status: 201, schema: userSchema },
  refusals: [409],
  handle: async (call) => {
    const { services, tenant, body } = call;
    const user = await recordedChange(services, tenant.id, async (change) => {
      const { db, atMs } = change;
      await requireFreeEmail(change, body.email);
      const roleIds = await findRoleIds(change, body.roles);
      const unitIds = await findUnitIds(change, body.organizationUnits);
      const { id } = await db
        .insertInto('users')
        .values({
          tenant_id: tenant.id,
          type: body.type,
          email: body.email,
          email_key: body.email.toLowerCase(),
          first_name: body.firstName,
          last_name: body.lastName,
          is_active: 1,
          directory_person_id: null,
          created_at: atMs,
          updated_at: atMs,
          last_login_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await replaceRoles(change, id, roleIds);
      await replaceUnits(change, id, unitIds);
      const made = await readUser(db, tenant.id, id);
      await change.record({
        actionType: 'UserCreated',
        actor: actorOf(call),
        resourceType: 'User',
        resourceId: id,
        description: `The user ${made.email} was created.`,
        details: { type: made.type, roles: made.roles, organizationUnits: made.organizationUnits },
      });
      return made;
    });
    return jsonReply(201, user, { location: `/v1/users/${user.id}` });
  },
});

/** `GET /v1/users/{userId}` */
const getUser = defineOperation({
  ...shared,
  method: 'GET',
  path: '/v1/users/{userId}',
  operationId: 'getUser',
  summary: 'Details of a user.',
  success: { status: 200, schema: userSchema },
  refusals: [404],
  handle: async ({ services, tenant, params }) =>
    jsonReply(200, await readUser(services.db, tenant.id, userIdInPath(params['userId']))),
});

/** `PATCH /v1/users/{userId}` */
const updateUser = defineOperation({
  ...shared,
  method: 'PATCH',
  path: '/v1/users/{userId}',
  operationId: 'updateUser',
  summary: "Changes to the user's details, roles or OU memberships (JSON Merge Patch).",
  body: updateUserSchema,
  success: { status: 200, schema: userSchema },
  refusals: [404, 409],
  handle: async (call) => {
    const { services, tenant, body, params } = call;
    const userId = userIdInPath(params['userId']);
    const user = await recordedChange(services, tenant.id, async (change) => {
      const { db, atMs } = change;
      const before = await readUser(db, tenant.id, userId);
      if (body.email !== undefined) await requireFreeEmail(change, body.email, userId);
      await db
        .updateTable('users')
        .set({
          updated_at: atMs,
          ...(body.type !== undefined && { type: body.type }),
          ...(body.email !== undefined && { email: body.email, email_key: body.email.toLowerCase() }),
          ...(body.firstName !== undefined && { first_name: body.firstName }),
          ...(body.lastName !== undefined && { last_name: body.lastName }),
        })
        .where('id', '=', userId)
        .execute();
      if (body.roles !== undefined)
        await replaceRoles(change, userId, await findRoleIds(change, body.roles ?? []));
      if (body.organizationUnits !== undefined)
        await replaceUnits(change, userId, await findUnitIds(change, body.organizationUnits ?? []));
      const after = await readUser(db, tenant.id, userId);
      await change.record({
        actionType: 'UserUpdated',
        actor: actorOf(call),
        resourceType: 'User',
        resourceId: userId,
        description: `The user ${after.email} was changed.`,
        details: { changes: changesBetween(before, after) },
      });
      return after;
    });
    return jsonReply(200, user);
  },
});

/** What an update changed, field by field, from and to. */
const changesBetween = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  Object.fromEntries(
    Object.keys(after)
      .filter((name) => name !== 'updatedAt')
      .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      .map((name) => [name, { from: before[name], to: after[name] }]),
  );

/** `DELETE /v1/users/{userId}` */
const deleteUser = defineOperation({
  ...shared,
  method: 'DELETE',
  path: '/v1/users/{userId}',
  operationId: 'deleteUser',
  summary: 'Permanently removes the user from the tenant.',
  success: { status: 204, schema: undefined },
  refusals: [404],
  handle: async (call) => {
    const { services, tenant, params } = call;
    const userId = userIdInPath(params['userId']);
    await recordedChange(services, tenant.id, async ({ db, record }) => {
      const row = await findUserRow(db, tenant.id, userId);
      await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
      await db.deleteFrom('memberships').where('user_id', '=', userId).execute();
      await db.deleteFrom('users').where('id', '=', userId).execute();
      await record({
        actionType: 'UserDeleted',
        actor: actorOf(call),
        resourceType: 'User',
        resourceId: userId,
        description: `The user ${row.email} was removed.`,
        details: { email: row.email },
      });
    });
    return emptyReply(204);
  },
});

/** Operations of users (interface 4.1). */
export const userOperations = [listUsers, createUser, getUser, updateUser, deleteUser];
