import type { UserInput, UserPatch } from '@vitrine/contract/service';
import type { CallOptions } from '../http/http.ts';
import { path } from '../http/path.ts';
import type { PortalList } from '../paging/paging.ts';
import type { PortalCall } from './portalCall.ts';
import { emptyCall, listOf, type ResourceTools, rowCall } from './resourceTools.ts';
import { type User, type UserId, userReader } from './user.ts';

/** Options of `users.list`. */
export interface ListOptions extends CallOptions {
  /** Rows per page. Default: the client's `pageSize`. */
  readonly pageSize?: number | undefined;
}

/** Users of the tenant (docs/interface.md#4.1). */
export interface UsersResource {
  /** GET /v1/users: all users, page by page. The interface does not show the paging (4.8): `page` and `pageSize` are assumed. */
  readonly list: (options?: ListOptions) => PortalList<User>;
  /** GET /v1/users/{userId}. */
  readonly get: (userId: UserId, options?: CallOptions) => PortalCall<User>;
  /** POST /v1/users. Sent once: after a broken connection, check whether the user exists before you send it again. */
  readonly create: (input: UserInput, options?: CallOptions) => PortalCall<User>;
  /** PATCH /v1/users/{userId}. Sent fields replace the old ones, arrays as a whole (assumed: RFC 7396). Sent once. */
  readonly update: (userId: UserId, patch: UserPatch, options?: CallOptions) => PortalCall<User>;
  /** DELETE /v1/users/{userId}: removes the user permanently. Sent once. */
  readonly delete: (userId: UserId, options?: CallOptions) => PortalCall<void>;
}

const collection = '/v1/users';

/** The users of a client. */
export const createUsers = (tools: ResourceTools): UsersResource => ({
  list: ({ pageSize, ...options } = {}) =>
    listOf(tools, { path: collection, reader: userReader, isPaged: true, pageSize }, options),
  get: (userId, options) =>
    rowCall(tools, { method: 'GET', path: path`/v1/users/${userId}`, ...options }, userReader),
  create: (input, options) =>
    rowCall(tools, { method: 'POST', path: collection, body: input, ...options }, userReader),
  update: (userId, patch, options) =>
    rowCall(tools, { method: 'PATCH', path: path`/v1/users/${userId}`, body: patch, ...options }, userReader),
  delete: (userId, options) =>
    emptyCall(tools, { method: 'DELETE', path: path`/v1/users/${userId}`, ...options }),
});
