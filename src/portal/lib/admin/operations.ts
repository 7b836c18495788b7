import { listAuditLogs } from '../audit/auditOperations.ts';
import { credentialOf, requirePermissions, unauthorized } from '../auth/apiKeyChecks.ts';
import type { Caller } from '../auth/callers.ts';
import { invalidField } from '../http/portalFailure.ts';
import type { PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import type { AppRoute } from '../http/respond.ts';
import type { Operation, OperationCall } from '../service/operation.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';
import { itemOperations } from './content/itemOperations.ts';
import { listLinks } from './content/listLinks.ts';
import { listTasks } from './content/listTasks.ts';
import { unitOperations } from './organizationUnits/unitOperations.ts';
import { roleOperations } from './roles/roleOperations.ts';
import { userOperations } from './users/userOperations.ts';

/** All operations under `/v1`, for routing, validation and documentation. */
export const operations: readonly Operation[] = [
  ...userOperations,
  ...roleOperations,
  ...unitOperations,
  ...itemOperations,
  listTasks,
  listLinks,
  listAuditLogs,
];

/** A query as an object, each parameter given once. */
export const queryObject = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...query].map(([name, value]) => {
      if (query.getAll(name).length > 1) throw invalidField(name.slice(0, 64), 'occurs more than once');
      if (value.includes('\0')) throw invalidField(name.slice(0, 64), 'contains a NUL character');
      return [name, value];
    }),
  );

/** Runs an operation for a caller, after validation of its body and its query. */
export const runOperation = async (
  operation: Operation,
  call: Omit<OperationCall<never, never>, 'body' | 'query'>,
): Promise<PortalReply> => {
  const { bodySchema, querySchema, handle } = operation;
  const body = bodySchema && validate(bodySchema, readJsonBody(call.request));
  const query = querySchema && validate(querySchema, queryObject(call.request.query));
  // defineOperation types `handle` by the schemas of these outputs.
  return handle({ ...call, body: body as never, query: query as never });
};

/** The caller of a request, by its API key. */
const authenticate = async ({ callers }: Services, request: PortalRequest): Promise<Caller> => {
  const sent = credentialOf(request.header('authorization'), 'Bearer');
  if (sent === undefined)
    throw unauthorized('Bearer', 'The header must read "Bearer <API key>" (docs/interface.md#5).');
  const caller = await callers.find(sent);
  if (caller === undefined) throw unauthorized('Bearer', 'The API key is unknown or revoked.');
  request.trace.tenant = caller.tenant;
  return caller;
};

/** The routes of the administration API, for callers with an API key. */
export const administrationRoutes = (services: Services): readonly AppRoute[] =>
  operations.map((operation) => ({
    method: operation.method,
    path: operation.path,
    answer: async (request, params) => {
      const { tenant, apiKey } = await authenticate(services, request);
      requirePermissions(apiKey, [operation.permission]);
      return runOperation(operation, { services, tenant, apiKey, request, params });
    },
  }));
