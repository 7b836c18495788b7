import { recordedChange } from '../../audit/recordedChange.ts';
import { pageRangeOf, pageReply } from '../../http/listPages.ts';
import { PortalFailure } from '../../http/portalFailure.ts';
import { emptyReply, jsonReply } from '../../http/portalReply.ts';
import { rowId } from '../../http/rowId.ts';
import { isViewerNumber } from '../../reports/viewer.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actorOf.ts';
import { readUser, readUserPage } from './readUsers.ts';
import { createUser, deleteUser, updateUser } from './writeUsers.ts';

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
  defineOperation('listUsers', async ({ services, tenant, query }) => {
    const range = pageRangeOf(query);
    return pageReply(range, await readUserPage(services.db, tenant.id, range));
  }),
  defineOperation('createUser', async (call) => {
    const user = await recordedChange(call.services, call.tenant.id, (change) =>
      createUser(change, actorOf(call), call.body),
    );
    return jsonReply(201, user, { location: `/v1/users/${user.id}` });
  }),
  defineOperation('getUser', async ({ services, tenant, params }) =>
    jsonReply(200, await readUser(services.db, tenant.id, userIdInPath(params['userId']))),
  ),
  defineOperation('updateUser', async (call) => {
    const update = { userId: userIdInPath(call.params['userId']), actor: actorOf(call), patch: call.body };
    const user = await recordedChange(call.services, call.tenant.id, (change) => updateUser(change, update));
    return jsonReply(200, user);
  }),
  defineOperation('deleteUser', async (call) => {
    const userId = userIdInPath(call.params['userId']);
    await recordedChange(call.services, call.tenant.id, (change) =>
      deleteUser(change, actorOf(call), userId),
    );
    return emptyReply(204);
  }),
];
