import { mintPermissions } from '@vitrine/contract';
import type { CallFailure } from '../errors/portalError.ts';
import type { PortalConnection } from './portalConnection.ts';
import { portalWords, type RefusedPart, refusedPart } from './refusedPart.ts';

/** How to find out that the tenant header does not arrive. */
export const headerHint = ({ tenantIdHeader }: Pick<PortalConnection, 'tenantIdHeader'>): string =>
  tenantIdHeader.includes('.')
    ? `a proxy may drop the header ${tenantIdHeader} because of the dot in its name; see the option tenantIdHeader.`
    : `a proxy may drop the header ${tenantIdHeader}, or the portal expects another name; see the option tenantIdHeader.`;

const partHints: Readonly<Record<Exclude<RefusedPart, 'tenant_header'>, string>> = {
  api_key:
    'Check the API key in the portal, and that it belongs to the tenant of tenantId. If it has expired, create a new one.',
  expiration:
    'The portal does not accept the expiry of the key. Shorten keyLifetime, and compare the clocks of both machines (NTP).',
  roles: 'Compare the roleNames that viewer() returns with the codes of the RLS roles in the portal.',
  report: 'Share the report with the user or one of its roles in the portal, and compare the item ID.',
  passphrase: 'Copy the passphrase of the tenant from the portal again.',
  tenancy_name: 'Compare tenancyName with the subdomain of the tenant, and tenantId with its ID.',
  user: 'Compare the userId and roleNames that viewer() returns with the portal.',
};

/** Permissions that a refusal names. */
export const namedPermissions = (failure: CallFailure): readonly string[] => [
  ...new Set(portalWords(failure).match(/\b[A-Z]\w+(?:\.[A-Z]\w+)+\b/g)),
];

/** What to do after the portal itself has refused to create a key. */
export const refusalHint = (
  failure: CallFailure,
  connection: Pick<PortalConnection, 'tenantIdHeader'>,
): string => {
  // Portals and gateways alike answer 401 and 403 with nothing or with bare JSON.
  const isEnvelope = failure.stats?.body === 'envelope';
  const header = headerHint(connection);
  if (failure.kind === 'unauthorized' && /tenancy/i.test(portalWords(failure))) return partHints.tenancy_name;
  if (failure.kind === 'unauthorized' && !/permission/i.test(portalWords(failure)))
    return `Check the API key and that it belongs to the tenant of tenantId. If both are right, ${isEnvelope ? header : 'a gateway in front of the portal may require a sign-in: allow this machine there.'}`;
  if (failure.kind === 'unauthorized' || failure.kind === 'forbidden') {
    const named = namedPermissions(failure);
    const needed = `The API key needs the permissions ${mintPermissions.join(' and ')} in this tenant.`;
    const missing = named.length === 0 ? '' : ` The portal names ${named.join(' and ')}.`;
    const gateway = isEnvelope
      ? ''
      : ' If it has them, a firewall or gateway in front of the portal may block this machine: allow its IP address there.';
    return `${needed}${missing}${gateway}`;
  }
  if (failure.kind === 'not_found') return 'Check the item ID: the tenant has no such report.';
  const part = refusedPart(failure);
  if (part === 'tenant_header') return `The portal does not receive the tenant: ${header}`;
  if (part !== undefined) return partHints[part];
  return failure.kind === 'invalid'
    ? `Compare the roleNames and the userId that viewer() returns with the portal. If they are right, ${header}`
    : `The portal does not say what it refuses. Run \`vitrine doctor --item\` with the item ID: it checks tenancy name, passphrase and report one by one. If all are right, ${header}`;
};
