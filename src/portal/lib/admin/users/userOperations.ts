import { recordAudit } from '../../audit/recordAudit.ts';
import { emptyReply, jsonReply } from '../../http/exchange.ts';
import { defineOperation } from '../../http/operation.ts';
import { actorOf } from '../actor.ts';
import { cutOf, listSchema, usersPagingSchema } from '../paging.ts';
import { isUniqueViolation } from '../uniqueViolation.ts';
import { readUserPage } from './readUserPage.ts';
import { findUserRow, readUser, toUserBodies, userIdInPath } from './readUsers.ts';
import {
  emailConflict,
  findRoleIds,
  findUnitIds,
  replaceRoles,
  replaceUnits,
  requireFreeEmail,
} from './userReferences.ts';
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
    const nowMs = services.clock.now();
    const user = await services.db
      .transaction()
      .execute(async (db) => {
        const place = { db, tenantId: tenant.id };
        await requireFreeEmail(place, body.email);
        const roleIds = await findRoleIds(place, body.roles);
        const unitIds = await findUnitIds(place, body.organizationUnits);
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
            created_at: nowMs,
            updated_at: nowMs,
            last_login_at: null,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await replaceRoles(place, id, roleIds);
        await replaceUnits(place, id, unitIds);
        const made = await readUser(db, tenant.id, id);
        await recordAudit(db, {
          tenantId: tenant.id,
          actionType: 'UserCreated',
          atMs: nowMs,
          actor: actorOf(call),
          resourceType: 'User',
          resourceId: id,
          description: `The user ${made.email} was created.`,
          details: { type: made.type, roles: made.roles, organizationUnits: made.organizationUnits },
        });
        return made;
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? emailConflict() : error;
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
    const nowMs = services.clock.now();
    const userId = userIdInPath(params['userId']);
    const user = await services.db
      .transaction()
      .execute(async (db) => {
        const place = { db, tenantId: tenant.id };
        const before = await readUser(db, tenant.id, userId);
        if (body.email !== undefined) await requireFreeEmail(place, body.email, userId);
        await db
          .updateTable('users')
          .set({
            updated_at: nowMs,
            ...(body.type !== undefined && { type: body.type }),
            ...(body.email !== undefined && { email: body.email, email_key: body.email.toLowerCase() }),
            ...(body.firstName !== undefined && { first_name: body.firstName }),
            ...(body.lastName !== undefined && { last_name: body.lastName }),
          })
          .where('id', '=', userId)
          .execute();
        if (body.roles !== undefined)
          await replaceRoles(place, userId, await findRoleIds(place, body.roles ?? []));
        if (body.organizationUnits !== undefined)
          await replaceUnits(place, userId, await findUnitIds(place, body.organizationUnits ?? []));
        const after = await readUser(db, tenant.id, userId);
        await recordAudit(db, {
          tenantId: tenant.id,
          actionType: 'UserUpdated',
          atMs: nowMs,
          actor: actorOf(call),
          resourceType: 'User',
          resourceId: userId,
          description: `The user ${after.email} was changed.`,
          details: { changes: changesBetween(before, after) },
        });
        return after;
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? emailConflict() : error;
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
    await services.db.transaction().execute(async (db) => {
      const row = await findUserRow(db, tenant.id, userId);
      await db.deleteFrom('user_roles').where('user_id', '=', userId).execute();
      await db.deleteFrom('memberships').where('user_id', '=', userId).execute();
      await db.deleteFrom('users').where('id', '=', userId).execute();
      await recordAudit(db, {
        tenantId: tenant.id,
        actionType: 'UserDeleted',
        atMs: services.clock.now(),
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
