import type { PortalFailure } from '../http/portalFailure.ts';
import { jsonReply, type PortalReply } from '../http/portalReply.ts';

/** The two dialects of the service: plain REST under `/v1`, the envelope under `/api/services/app`. */
export type Dialect = 'rest' | 'envelope';

/** Dialect of a path: the envelope under `/api/services/app`, REST everywhere else. */
export const dialectOf = (path: string): Dialect =>
  path.startsWith('/api/services/app/') ? 'envelope' : 'rest';

const validationErrors = (failure: PortalFailure) =>
  failure.fields.map(({ field, message }) => ({ message, members: [field] }));

const restFailure = (failure: PortalFailure, requestId: string) => ({
  error: {
    code: failure.code,
    message: failure.message,
    ...(failure.fields.length > 0 && { validationErrors: validationErrors(failure) }),
    requestId,
  },
});

/** A result in the envelope of ASP.NET Boilerplate. */
export const envelopeSuccess = <TResult>(result: TResult) => ({
  result,
  targetUrl: null,
  success: true,
  error: null,
  unAuthorizedRequest: false,
  __abp: true,
});

const envelopeFailure = (failure: PortalFailure) => ({
  result: null,
  targetUrl: null,
  success: false,
  error: {
    code: failure.status,
    message: failure.message,
    details: null,
    validationErrors: failure.fields.length > 0 ? validationErrors(failure) : null,
  },
  unAuthorizedRequest: failure.status === 401,
  __abp: true,
});

/** A failure as a response in the dialect of its route. */
export const failureReply = (failure: PortalFailure, dialect: Dialect, requestId: string): PortalReply =>
  jsonReply(
    failure.status,
    dialect === 'rest' ? restFailure(failure, requestId) : envelopeFailure(failure),
    failure.headers,
  );
