import { createEncryptedKeyPath } from '@vitrine/contract/service';
import { credentialOf, requirePermissions, unauthorized } from '../auth/apiKeyChecks.ts';
import { answerConsole } from '../console/answerConsole.ts';
import { createEncryptedKey } from '../embedding/createEncryptedKey.ts';
import { createRouter } from '../http/createRouter.ts';
import { invalidField, PortalFailure } from '../http/portalFailure.ts';
import type { PortalReply, PortalStream } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { answerOnTenantOrigin } from '../report/answerOnTenantOrigin.ts';
import { dialectOf, failureReply } from '../service/dialects.ts';
import type { Operation } from '../service/operation.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';

/** A request and the facts collected while reading it. */
export interface ReadRequest {
  readonly request: PortalRequest;
  readonly isTooLarge: boolean;
}

/** Answers one request: dialect, route, credentials, validation, operation. Never rejects. */
export type AnswerRequest = (read: ReadRequest) => Promise<PortalReply | PortalStream>;

/** Creates the answering function for the list of operations. */
export const createAnswerRequest = (services: Services, operations: readonly Operation[]): AnswerRequest => {
  const route = createRouter(operations);

  /** Finds the operation, and the tenant of the key. */
  const authorize = async (request: PortalRequest) => {
    const routed = route(request.method, request.path);
    if (routed.kind === 'nothing') throw noRoute(request.path);
    if (routed.kind === 'other-method')
      throw new PortalFailure(`The method ${request.method} is not allowed.`, {
        status: 405,
        code: 'method_not_allowed',
        headers: { allow: routed.allowed.join(', ') },
      });
    const sent = credentialOf(request.header('authorization'), 'Bearer');
    if (sent === undefined)
      throw unauthorized('Bearer', 'The header must read "Bearer <API key>" (docs/interface.md#5).');
    const caller = await services.callers.find(sent);
    if (caller === undefined) throw unauthorized('Bearer', 'The API key is unknown or revoked.');
    request.trace.tenant = caller.tenant;
    return { ...routed, ...caller };
  };

  const callOperation = async (request: PortalRequest): Promise<PortalReply> => {
    const { route: operation, params, apiKey, tenant } = await authorize(request);
    requirePermissions(apiKey, [operation.permission]);
    const body = operation.bodySchema && validate(operation.bodySchema, readJsonBody(request));
    const query = operation.querySchema && validate(operation.querySchema, queryObject(request.query));
    return operation.handle({
      services,
      tenant,
      apiKey,
      request,
      params,
      // defineOperation types `handle` by the schemas of these outputs.
      body: body as never,
      query: query as never,
    });
  };

  const answer = async ({ request, isTooLarge }: ReadRequest): Promise<PortalReply | PortalStream> => {
    if (isTooLarge)
      throw new PortalFailure('body: is larger than 1 MiB.', {
        status: 413,
        code: 'request_too_large',
        fields: [{ field: 'body', message: 'is larger than 1 MiB' }],
        headers: { connection: 'close' },
      });
    if (request.tenancyName !== undefined) return answerOnTenantOrigin(services, request);
    if (request.path === createEncryptedKeyPath) {
      if (request.method !== 'POST')
        throw new PortalFailure(`The method ${request.method} is not allowed.`, {
          status: 405,
          code: 'method_not_allowed',
          headers: { allow: 'POST' },
        });
      return createEncryptedKey(services, request);
    }
    if (dialectOf(request.path) === 'envelope') throw noRoute(request.path);
    return answerConsole(services, request) ?? callOperation(request);
  };

  return async (read) => {
    try {
      return await answer(read);
    } catch (error) {
      const { request } = read;
      return failureReply(toFailure(error, request), dialectOf(request.path), request.requestId);
    }
  };
};

const noRoute = (path: string) =>
  new PortalFailure(
    path.startsWith('/report/')
      ? 'There is no report page at this address. Report pages are at the tenant URL (VITRINE_TENANT_URL), not at the URL of the API.'
      : 'There is no route for this path.',
    { status: 404, code: 'route_not_found' },
  );

/** A query as an object, each parameter given once. */
const queryObject = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...query].map(([name, value]) => {
      if (query.getAll(name).length > 1) throw invalidField(name.slice(0, 64), 'occurs more than once');
      if (value.includes('\0')) throw invalidField(name.slice(0, 64), 'contains a NUL character');
      return [name, value];
    }),
  );

const toFailure = (error: unknown, request: PortalRequest): PortalFailure => {
  if (error instanceof PortalFailure) return error;
  request.trace.error = error;
  return new PortalFailure('The portal failed. Search its log for the request ID.', {
    status: 500,
    code: 'internal_error',
    cause: error,
  });
};
