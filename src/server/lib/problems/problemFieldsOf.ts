import type { ProblemCode } from '@vitrine/contract';
import type { PortalError, PortalErrorKind } from '@vitrine/portal-client';
import { retryPauseMs } from '../upstream/retryPauseMs.ts';
import type { ProblemFields } from './problemResponse.ts';

const codes: Readonly<Record<PortalErrorKind, ProblemCode>> = {
  config: 'internal_error',
  read_only: 'internal_error',
  paging: 'internal_error',
  network: 'portal_unreachable',
  timeout: 'portal_timeout',
  aborted: 'portal_timeout',
  invalid: 'portal_refused',
  unauthorized: 'portal_refused',
  forbidden: 'portal_refused',
  conflict: 'portal_refused',
  business: 'portal_refused',
  not_found: 'report_unavailable',
  rate_limited: 'rate_limited',
  server: 'portal_unavailable',
  invalid_response: 'portal_invalid_response',
};

/** The browser's view of a failed call to the portal: our code, and none of the portal's text. */
export const problemFieldsOf = (error: PortalError): ProblemFields => {
  const retryAfterMs = retryPauseMs(error);
  return { code: codes[error.kind], ...(retryAfterMs !== undefined && { retryAfterMs }) };
};
