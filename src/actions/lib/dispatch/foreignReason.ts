import type { PortalConnectionInput } from '@vitrine/portal-client';
import type { ActionEvent } from '../actionEvent.ts';

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

/**
 * Why an event belongs to another tenant; `undefined` if it does not, or does not say. `currentUser` is an ID in the
 * sending tenant, and may be another person here.
 */
export const foreignReason = (
  { tenancyName, clientUrl }: Pick<ActionEvent, 'tenancyName' | 'clientUrl'>,
  portal: Pick<PortalConnectionInput, 'tenancyName' | 'tenantUrl'>,
): string | undefined => {
  const host = hostOf(clientUrl);
  const isOurs =
    tenancyName === ''
      ? host === undefined || host === hostOf(portal.tenantUrl)
      : tenancyName.toLowerCase() === portal.tenancyName.toLowerCase();
  if (isOurs) return undefined;
  const seen = JSON.stringify(tenancyName || host).slice(0, 80);
  return `It comes from the tenant ${seen}; \`portal\` of createActions() names "${portal.tenancyName}".`;
};
