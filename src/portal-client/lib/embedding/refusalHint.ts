import { mintPermissions } from '@vitrine/contract/service';
import { hasReason, portalWords, type RefusedPart, refusedPart } from '../dialect/refusedPart.ts';
import type { CallFailure } from '../errors/portalError.ts';
import type { PortalConnection } from './portalConnection.ts';

/** Advice in case the tenant header does not arrive. */
export const headerHint = ({ tenantIdHeader }: Pick<PortalConnection, 'tenantIdHeader'>): string =>
  tenantIdHeader.includes('.')
    ? `a proxy may drop the header ${tenantIdHeader} because of the dot in its name; see the option tenantIdHeader.`
    : `a proxy may drop the header ${tenantIdHeader}, or the portal expects another name; see the option tenantIdHeader.`;

const partHints: Readonly<Record<Exclude<RefusedPart, 'tenant_header' | 'permissions'>, string>> = {
  api_key:
    'Check the API key in the portal, and that it belongs to the tenant of tenantId. If it has expired, create a new one.',
  ip_address: 'Ask the operator of the portal to allow the IP address of this machine.',
  operator: "Contact the portal's operator: no setting of this backend can fix this.",
  expiration:
    'The portal does not accept the expiry of the key. Shorten keyLifetime, and compare the clocks of both machines (NTP).',
  roles: 'Compare the roleNames that viewer() returns with the codes of the RLS roles in the portal.',
  report: 'Share the report with the user or one of their roles in the portal, and compare the item ID.',
  passphrase: 'Copy the passphrase of the tenant from the portal again.',
  tenancy_name: 'Compare tenancyName with the subdomain of the tenant, and tenantId with its ID.',
  user: 'Check in the portal that the user whose userId viewer() returns exists and is active, and compare the roleNames.',
};

const aboutViewer: ReadonlySet<RefusedPart> = new Set(['roles', 'report', 'user']);
const runDoctor =
  'run `vitrine doctor --item` with the item ID, which checks tenancy name, passphrase and report one by one';

/** Permissions that a refusal names. */
export const namedPermissions = (failure: CallFailure): readonly string[] => [
  ...new Set(portalWords(failure).match(/\b[A-Z]\w+(?:\.[A-Z]\w+)+\b/g)),
];

/** Advice after the portal itself has refused to create a key. Its message takes precedence over the status. */
export const refusalHint = (
  failure: CallFailure,
  connection: Pick<PortalConnection, 'tenantIdHeader'>,
): string => {
  const { kind } = failure;
  // Both portals and gateways respond to 401 and 403 with an empty body or bare JSON.
  const isEnvelope = failure.stats?.body === 'envelope';
  const header = headerHint(connection);
  const part = refusedPart(failure);
  const permissions = mintPermissions.join(' and ');
  if (part === 'tenant_header') return `The portal does not receive the tenant: ${header}`;
  if (part === 'permissions' || (part === undefined && kind === 'forbidden')) {
    const named = namedPermissions(failure);
    const missing = named.length === 0 ? '' : ` The portal names ${named.join(' and ')}.`;
    const gateway = isEnvelope
      ? ''
      : ' If it has them, a firewall or gateway in front of the portal may block this machine: allow its IP address there.';
    return `The API key needs the permissions ${permissions} in this tenant.${missing}${gateway}`;
  }
  if (kind === 'not_found') return 'Check the item ID: the tenant has no such report.';
  if (part !== undefined)
    // If the API key lacks permissions, the portal's message may still be about the viewer.
    return kind === 'forbidden' && aboutViewer.has(part)
      ? `${partHints[part]} If this does not help, check that the API key has the permissions ${permissions} in this tenant.`
      : partHints[part];
  if (kind === 'unauthorized')
    return `Check the API key and that it belongs to the tenant of tenantId. If both are right, ${isEnvelope ? header : 'a gateway in front of the portal may require a sign-in: allow this machine there.'}`;
  if (kind === 'invalid')
    return `Compare the roleNames and the userId that viewer() returns with the portal. If they are right, ${header}`;
  return hasReason(failure)
    ? `Ask the operator of the portal about its message. If this does not help, ${runDoctor}.`
    : `The portal does not say why it refused: ${runDoctor}. If all are right, ${header}`;
};
