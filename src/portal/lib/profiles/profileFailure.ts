import { PortalFailure } from '../http/portalFailure.ts';
import { emptyReply, htmlReply, jsonReply, type PortalReply } from '../http/portalReply.ts';
import { failureReply } from '../service/dialects.ts';
import type { Profile } from './profileSchema.ts';

const statusOf = (profile: Profile, failure: PortalFailure): number => {
  if (failure.status === 409) return profile.conflictStatus;
  return failure.code === 'validation_failed' ? profile.validationStatus : failure.status;
};

/** A `/v1` refusal in the form of a service with this profile. */
export const profileFailure = (profile: Profile, failure: PortalFailure, requestId: string): PortalReply => {
  const status = statusOf(profile, failure);
  const { headers } = failure;
  const sent = new PortalFailure(failure.message, {
    status,
    code: failure.code,
    fields: failure.fields,
    headers,
  });
  switch (profile.errorBody) {
    case 'rest':
      return failureReply(sent, 'rest', requestId);
    case 'envelope':
      return failureReply(sent, 'envelope', requestId);
    case 'flat':
      return jsonReply(status, { code: failure.code, message: failure.message }, headers);
    case 'problem':
      return {
        ...jsonReply(status, {
          type: 'about:blank',
          title: failure.message,
          status,
          detail: failure.message,
        }),
        headers: { ...headers, 'content-type': 'application/problem+json' },
      };
    case 'statusCode':
      return jsonReply(
        status,
        { statusCode: status, message: failure.message, error: failure.code },
        headers,
      );
    case 'html':
      return htmlReply(status, `<!doctype html><title>${status}</title><h1>${status}</h1>`, headers);
    case 'text':
      return {
        status,
        headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
        body: failure.message,
      };
    case 'empty':
      return emptyReply(status, headers);
  }
};
