import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { envText } from '../shared/tenantEnvironment.ts';
import { useConsole } from './context.tsx';
import { Card, CopyButton, Values } from './parts.tsx';

/** The connection of a tenant, as a host app has it: of the chosen one, or of one with its own secrets. */
export const Connection = (props: { readonly tenant?: PortalTenant }) => {
  const { tenant } = { ...useConsole(), ...props };
  return (
    <Card
      title="Connection"
      hint="What a host app needs, also as .env.local. These secrets are only for development."
      aside={<CopyButton text="Copy .env.local" copied={envText(tenant)} />}
    >
      <Values
        rows={[
          ['Tenant URL', tenant.tenantUrl],
          ['Base URL', tenant.baseUrl],
          ['Tenant ID', String(tenant.tenantId)],
          ['Tenancy name', tenant.tenancyName],
          ['API key', tenant.apiKey, true],
          ['Passphrase', tenant.passPhrase, true],
          ['Webhook secret', tenant.webhookSecret, true],
        ]}
      />
    </Card>
  );
};
