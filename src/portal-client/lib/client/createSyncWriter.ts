import { unwrap } from '../dialect/unwrap.ts';
import { PortalError } from '../errors/portalError.ts';
import type { Clock } from '../http/clock.ts';
import type { HttpCall, HttpResponse, Send } from '../http/httpCall.ts';
import { path } from '../http/path.ts';
import { sleep } from '../http/sleep.ts';
import { organizationUnitReader } from '../resources/organizationUnit.ts';
import { type User, userReader } from '../resources/user.ts';
import type { SyncWriter } from '../sync/syncPort.ts';

const maxRefusals = 8;
const longestPauseMs = 120_000;

/**
 * The writes of a run. The client never retries a POST or PATCH itself; the writer retries after 429 only, which means
 * that the service did nothing.
 */
export const createSyncWriter = (send: Send, clock: Clock, signal: AbortSignal | undefined): SyncWriter => {
  const sendPatiently = async (call: HttpCall): Promise<HttpResponse> => {
    for (let refusals = 1; ; refusals += 1) {
      try {
        return await send({ ...call, signal });
      } catch (error) {
        if (!(error instanceof PortalError) || error.kind !== 'rate_limited' || refusals >= maxRefusals)
          throw error;
        const pauseMs = error.retryAfterMs ?? 500 * 2 ** refusals;
        if (pauseMs > longestPauseMs) throw error;
        await sleep(pauseMs, { clock, signal }).catch(() => {
          throw new PortalError(`${call.method} ${call.path} was aborted by the caller's signal.`, {
            kind: 'aborted',
            code: 'aborted',
            attempts: error.attempts,
            request: { method: call.method, path: call.path },
          });
        });
      }
    }
  };
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
