import { envText } from '../shared/tenantEnvironment.ts';
import { useConsole } from './context.tsx';
import { Card, CopyButton, Values } from './parts.tsx';

/** The overview of a tenant: its connection and its reports. */
export const OverviewView = () => {
  const { tenant } = useConsole();
  const { tenancyName, items } = tenant;
  return (
    <div className="stack">
      <Card
        title="Connection"
        hint="What a host app needs, also as a .env file. These secrets are only for development."
        aside={<CopyButton text="Copy .env" copied={envText(tenant)} />}
      >
        <Values
          rows={[
            ['Tenant URL', tenant.tenantUrl],
            ['Base URL', tenant.baseUrl],
            ['Tenant ID', String(tenant.tenantId)],
            ['Tenancy name', tenancyName],
            ['API key', tenant.apiKey, true],
            ['Passphrase', tenant.passPhrase, true],
            ['Webhook secret', tenant.webhookSecret, true],
          ]}
        />
      </Card>
      <Card title="Reports">
        {items.length === 0 && <p className="nothing">This tenant has no items. Import one under Items.</p>}
        <ul className="reports">
          {items.map(({ id, displayName, hasRls }) => (
            <li key={id}>
              <a href={`#preview/${tenancyName}/${id}`}>{displayName}</a>
              <span className="hint">{`${id}${hasRls ? ' · filters rows' : ''}`}</span>
              <a href={`#embed/${tenancyName}/${id}`} aria-label={`Embed ${displayName}`}>
                Embed
              </a>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
};
