import { isViewerNumber } from '../../actions/viewerNumber.ts';
import { recordedChange } from '../../audit/recordedChange.ts';
import { listSchema, pageRangeOf, pageReply, pagingSchema } from '../../http/listPages.ts';
import { PortalFailure } from '../../http/portalFailure.ts';
import { emptyReply, jsonReply } from '../../http/portalReply.ts';
import { rowId } from '../../http/rowId.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { readUser, readUserPage } from './readUsers.ts';
import { createUserSchema, updateUserSchema, userSchema } from './userSchemas.ts';
import { createUser, deleteUser, updateUser } from './writeUsers.ts';

const shared = { tag: 'Users', section: '4.1', permission: 'Administration.Users' } as const;

/** Reads the number in a path; anything else is not a user. */
const userIdInPath = (text: string | undefined): number => {
  const userId = rowId(text, 'The user', 'userId');
  if (!isViewerNumber(userId)) return userId;
  const message = `${userId} is the ID of an embedded viewer (currentUser of webhooks) who is not a user of this tenant.`;
  throw new PortalFailure(message, {
    status: 404,
    code: 'not_found',
    fields: [{ field: 'userId', message }],
  });
};

/** Operations of users (docs/interface.md#4.1). */
export const userOperations = [
  defineOperation({
    ...shared,
    method: 'GET',
    path: '/v1/users',
    operationId: 'listUsers',
    summary: 'Paginated list of users, in the order they were created.',
    query: pagingSchema,
    success: { status: 200, schema: listSchema(userSchema) },
    handle: async ({ services, tenant, query }) => {
      const range = pageRangeOf(query);
      return pageReply(range, await readUserPage(services.db, tenant.id, range));
    },
  }),
  defineOperation({
    ...shared,
    method: 'POST',
    path: '/v1/users',
    operationId: 'createUser',
    summary: 'Creates a user.',
    body: createUserSchema,
    success: { status: 201, schema: userSchema },
    refusals: [409],
    handle: async (call) => {
      const user = await recordedChange(call.services, call.tenant.id, (change) =>
        createUser(change, actorOf(call), call.body),
      );
      return jsonReply(201, user, { location: `/v1/users/${user.id}` });
    },
  }),
  defineOperation({
    ...shared,
    method: 'GET',
    path: '/v1/users/{userId}',
    operationId: 'getUser',
    summary: 'Details of a user.',
    success: { status: 200, schema: userSchema },
    refusals: [404],
    handle: async ({ services, tenant, params }) =>
      jsonReply(200, await readUser(services.db, tenant.id, userIdInPath(params['userId']))),
  }),
  defineOperation({
    ...shared,
    method: 'PATCH',
    path: '/v1/users/{userId}',
    operationId: 'updateUser',
    summary: "Changes to the user's details, roles or OU memberships (JSON Merge Patch).",
    body: updateUserSchema,
    success: { status: 200, schema: userSchema },
    refusals: [404, 409],
    handle: async (call) => {
      const update = {
        userId: userIdInPath(call.params['userId']),
        actor: actorOf(call),
        patch: call.body,
      };
      const user = await recordedChange(call.services, call.tenant.id, (change) =>
        updateUser(change, update),
      );
      return jsonReply(200, user);
    },
  }),
  defineOperation({
    ...shared,
    method: 'DELETE',
    path: '/v1/users/{userId}',
    operationId: 'deleteUser',
    summary: 'Permanently removes the user from the tenant.',
    success: { status: 204, schema: undefined },
    refusals: [404],
    handle: async (call) => {
      const userId = userIdInPath(call.params['userId']);
      await recordedChange(call.services, call.tenant.id, (change) =>
        deleteUser(change, actorOf(call), userId),
      );
      return emptyReply(204);
    },
  }),
];
