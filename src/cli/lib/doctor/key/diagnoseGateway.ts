import type { PortalError } from '@vitrine/portal-client';
import { adviceFor } from './adviceFor.ts';
import type { DiagnosisContext, Finding } from './finding.ts';

const withoutCertificate = (next: string): string =>
  next.includes('client certificate')
    ? `${next} The doctor itself has no client certificate, so it cannot get further there.`
    : next;

/** Diagnoses a missing response, or one that is not from the portal. */
export const diagnoseGateway = (error: PortalError, context: DiagnosisContext): Finding => {
  const detail = error.message;
  // Both portals and gateways respond to 401 and 403 with an empty body or bare JSON; a web page is from a gateway.
  if (error.stats?.body === 'empty' || error.stats?.body === 'json') {
    if (error.status === 401)
      return {
        check: 'api_key',
        detail,
        isInconclusive: true,
        next: adviceFor('api_key_wrong', context, 'or_gateway'),
      };
    if (error.status === 403)
      return {
        check: 'permissions',
        detail,
        isInconclusive: true,
        next: adviceFor('permission_missing', context, 'or_gateway'),
      };
  }
  return {
    check: 'api',
    detail,
    next: withoutCertificate(
      error.explain('variable').check || 'Check VITRINE_API_BASE_URL, and try again later.',
    ),
  };
};
