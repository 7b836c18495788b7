import { mintPermissions } from '@vitrine/contract/service';
import type { PortalConnection, PortalError } from '@vitrine/portal-client';
import type { DoctorOptions } from '../doctorOptions.ts';
import type { DiagnosisContext } from './finding.ts';

/** How to correct the API key. */
export const keyAdvice = ({ tenantId }: PortalConnection): string =>
  `Copy the API key from the portal into VITRINE_API_KEY again. It belongs to one tenant: compare VITRINE_TENANT_ID (now ${tenantId}).`;

/** How to get the tenant header to the portal. */
export const headerAdvice = ({ tenantIdHeader }: PortalConnection): string =>
  tenantIdHeader.includes('.')
    ? 'A proxy may drop the header because of the dot in its name. Allow it (nginx: ignore_invalid_headers off), or agree on another name with the portal and set VITRINE_TENANT_ID_HEADER.'
    : 'The portal expects another name, or a proxy drops the header. Compare VITRINE_TENANT_ID_HEADER with the portal; without it, Svc.TenantId is sent.';

/** How to correct the passphrase. */
export const passPhraseAdvice = ({ options }: DiagnosisContext): string =>
  /^(["'`]).*\1$/.test(options.env['VITRINE_PASSPHRASE'] ?? '')
    ? 'VITRINE_PASSPHRASE is in quotation marks, which are part of the value. Remove them.'
    : 'Copy the passphrase of the tenant into VITRINE_PASSPHRASE again.';

/** How to correct the tenancy name. */
export const nameAdvice = ({ tenancyName }: PortalConnection): string =>
  `Compare VITRINE_TENANCY_NAME (now "${tenancyName}") with the subdomain of the tenant.`;

/** The permissions that the API key needs, or only the one that the portal names. */
export const permissionAdvice = (error: PortalError): string => {
  const { code, part } = error.failure ?? {};
  return code === 'permission_named' && part !== undefined
    ? `Give the API key the permission ${part} in the portal. Creating keys needs ${mintPermissions.join(' and ')}.`
    : `Give the API key the permissions ${mintPermissions.join(' and ')} in the portal.`;
};

/** How to correct the roles, as the rest of a sentence. */
export const roleAdvice = ({ roleNames }: DoctorOptions): string =>
  roleNames.length === 0
    ? 'the report may require a role for row-level security: add --role with the code of an RLS role.'
    : 'compare --role with the codes of the RLS roles.';

/** How to correct the user and the roles. */
export const identityAdvice = ({ roleNames }: DoctorOptions): string =>
  roleNames.length === 0
    ? 'The report may require a role for row-level security: add --role with the code of an RLS role. Otherwise compare --user with the users of the portal.'
    : 'Compare --role with the codes of the RLS roles, and --user with the users of the portal.';
