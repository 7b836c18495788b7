import { envText } from '../shared/tenantEnvironment.ts';
import { useConsole } from './context.tsx';
import { Card, CopyButton, Values } from './parts.tsx';

/** The overview of a tenant: its connection and its reports. */
export const OverviewView = () => {
  const { tenant } = useConsole();
  const { tenancyName, items } = tenant;
  return (
    <div className="stack">
      <Card title="Connection" aside={<CopyButton text="Copy .env" read={() => envText(tenant)} />}>
        <p className="hint">
          What a host app needs, also as a .env file. These secrets are only for development.
        </p>
        <Values
          rows={[
            { title: 'Tenant URL', value: tenant.tenantUrl },
            { title: 'Base URL', value: tenant.baseUrl },
            { title: 'Tenant ID', value: String(tenant.tenantId) },
            { title: 'Tenancy name', value: tenancyName },
            { title: 'API key', value: tenant.apiKey, isSecret: true },
            { title: 'Passphrase', value: tenant.passPhrase, isSecret: true },
            { title: 'Webhook secret', value: tenant.webhookSecret, isSecret: true },
          ]}
        />
      </Card>
      <Card title="Reports">
        {items.length === 0 ? (
          <p className="nothing">This tenant has no items. Import one under Items.</p>
        ) : (
          <ul className="reports">
            {items.map(({ id, displayName, hasRls }) => (
              <li key={id}>
                <a href={`#preview/${tenancyName}/${id}`}>{displayName}</a>
                <span className="hint">
                  {id}
                  {hasRls && ' · filters rows'}
                </span>
                <a href={`#embed/${tenancyName}/${id}`} aria-label={`Embed ${displayName}`}>
                  Embed
                </a>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
};
