import { PortalError } from '../errors/portalError.ts';
import type { HttpCall, HttpResponse, Send } from '../http/http.ts';
import { path } from '../http/path.ts';
import { organizationUnitReader } from '../resources/organizationUnit.ts';
import { type User, userReader } from '../resources/user.ts';
import { unwrap } from '../responses/success.ts';
import type { SyncWriter } from '../sync/tenant.ts';

/** A service under load may ask for minutes of patience. */
const patience = { maxRetries: 7, timeoutMs: 600_000 };

/** The writes of a run. */
export const createSyncWriter = (send: Send, signal: AbortSignal | undefined): SyncWriter => {
  const sendPatiently = (call: HttpCall): Promise<HttpResponse> => send({ ...call, ...patience, signal });
  const post = (collection: string, body: unknown) =>
    sendPatiently({ method: 'POST', path: collection, body });
  return {
    createRole: async (input) => {
      await post('/v1/roles', input);
    },
    createUnit: async (input) =>
      organizationUnitReader.read(unwrap((await post('/v1/organization-units', input)).body))?.id,
    createItem: async (input) => {
      await post('/v1/items', input);
    },
    getUser: async (userId) => {
      try {
        return readUser(await sendPatiently({ method: 'GET', path: path`/v1/users/${userId}` }));
      } catch (error) {
        if (error instanceof PortalError && error.kind === 'not_found') return undefined;
        throw error;
      }
    },
    createUser: async (input) => readUser(await post('/v1/users', input)),
    updateUser: async (userId, patch) =>
      readUser(await sendPatiently({ method: 'PATCH', path: path`/v1/users/${userId}`, body: patch })),
    deleteUser: async (userId) => {
      await sendPatiently({ method: 'DELETE', path: path`/v1/users/${userId}` });
    },
  };
};

const readUser = (response: HttpResponse): User | undefined => userReader.read(unwrap(response.body));
