import type { PortalFailure } from '../http/portalFailure.ts';
import { jsonReply, type PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';

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

/**
 * A failure as a response in the dialect of its route: the envelope under `/api/services/app`, REST everywhere else. An
 * outage has no envelope, whose `success: false` would say that a retry never helps.
 */
export const failureReply = (failure: PortalFailure, { path, requestId }: PortalRequest): PortalReply =>
  jsonReply(
    failure.status,
    path.startsWith('/api/services/app/') && failure.status !== 503
      ? envelopeFailure(failure)
      : restFailure(failure, requestId),
    failure.headers,
  );
