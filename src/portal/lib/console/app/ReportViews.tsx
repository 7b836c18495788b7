import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { useCallback, useState } from 'react';
import { embedCode, embedCommands, embedFrameworks } from '../shared/embedCode.ts';
import { envText } from '../shared/tenantEnvironment.ts';
import { ask, shown, shownTime } from './api.ts';
import { useConsole, usePlace } from './context.tsx';
import { SearchField } from './Form.tsx';
import type { FormField } from './fields.ts';
import { Card, Code, Labeled, Select, Values } from './parts.tsx';

/** The item of the address, or the first one. */
const useItem = () => {
  const { tenant } = useConsole();
  const { subject } = usePlace();
  const [chosen, setChosen] = useState(subject);
  const { items } = tenant;
  return { item: items.find(({ id }) => String(id) === chosen) ?? items[0], choose: setChosen };
};

const itemField: FormField = { name: 'item', label: 'Report', kind: 'search', source: 'items' };
const rolesField: FormField = { name: 'roles', label: 'RLS roles', kind: 'many', source: 'codes' };

const Without = ({ title }: { readonly title: string }) => (
  <Card title={title}>
    <p className="nothing">This tenant has no items. Import one under Items.</p>
  </Card>
);

/** Lifetime of the key of a preview. */
const lifetimeMs = 3_600_000;

interface IssuedKey {
  readonly key: string;
  readonly url: string;
  readonly expiresAt: string;
}

/** A report as a chosen viewer sees it, in the component that hosts use. */
export const PreviewView = () => {
  const { tenant } = useConsole();
  const { tenancyName, tenantUrl, roleNames } = tenant;
  const { item, choose } = useItem();
  const [user, setUser] = useState(`viewer@${tenancyName}.example`);
  const [roles, setRoles] = useState(() => {
    const first = roleNames.includes('all-regions') ? 'all-regions' : roleNames[0];
    return first === undefined ? [] : [first];
  });
  const [issued, setIssued] = useState<IssuedKey>();
  /** Answers the component's key requests in the place of a host's backend. */
  const issueKey = useCallback<typeof fetch>(
    async (_address, init) => {
      // The component sends this.
      const { itemId } = JSON.parse(init?.body as string) as { itemId: number };
      const answer = await ask('POST', `/tenants/${tenancyName}/keys`, {
        itemId,
        userId: user,
        roleNames: roles,
        lifetimeMs,
      });
      // The control interface answers with this type.
      const key = answer as unknown as IssuedKey;
      setIssued(key);
      return Response.json({ itemId, key: key.key, tenantUrl, lifetimeMs, expiresAt: key.expiresAt });
    },
    [tenancyName, tenantUrl, user, roles],
  );
  if (item === undefined) return <Without title="Preview" />;
  const viewer = JSON.stringify([tenancyName, user, roles]);
  return (
    <div className="stack">
      <Card title="Preview">
        <div className="row">
          <SearchField
            field={itemField}
            values={{}}
            value={String(item.id)}
            onChange={(id) => choose(String(id))}
          />
          <Labeled text="User">
            {/* A key is requested when the name is complete. */}
            <input
              key={tenancyName}
              defaultValue={user}
              onBlur={({ target }) => setUser(target.value)}
              onKeyDown={({ key, currentTarget }) => key === 'Enter' && setUser(currentTarget.value)}
            />
          </Labeled>
          <SearchField
            field={rolesField}
            values={{}}
            value={roles}
            onChange={(codes) => setRoles([codes].flat())}
          />
        </div>
        <EmbedProvider key={viewer} viewerKey={viewer} fetch={issueKey}>
          <EmbeddedReport itemId={item.id} title="Report preview" height={800} />
        </EmbedProvider>
      </Card>
      {issued !== undefined && (
        <Card title="Key of this preview">
          <p className="hint">Expires at {shownTime(issued.expiresAt)} UTC, by the portal’s clock.</p>
          <Values
            rows={[
              { title: 'Address', value: shown(issued.url), isSecret: true },
              { title: 'Key', value: issued.key, isSecret: true },
            ]}
          />
        </Card>
      )}
    </div>
  );
};

/** The code that embeds a report in a host app, ready to paste. */
export const EmbedView = () => {
  const { tenant } = useConsole();
  const { item, choose } = useItem();
  const [framework, setFramework] = useState<(typeof embedFrameworks)[number]>(embedFrameworks[0]);
  const [user, setUser] = useState(`viewer@${tenant.tenancyName}.example`);
  const [roles, setRoles] = useState(tenant.roleNames.slice(0, 1));
  if (item === undefined) return <Without title="Embed" />;
  const files = embedCode(framework, {
    itemId: item.id,
    title: item.displayName,
    userId: user,
    roleNames: roles,
  });
  return (
    <div className="stack">
      <Card title="Embed">
        <p className="hint">
          The backend decides who the viewer is; the page only sends the item ID. Replace the viewer with your
          own sign-in.
        </p>
        <div className="row">
          <SearchField
            field={itemField}
            values={{}}
            value={String(item.id)}
            onChange={(id) => choose(String(id))}
          />
          <Select
            label="Framework"
            options={embedFrameworks.map((name) => [name, name])}
            value={framework}
            onChange={(name) => setFramework(embedFrameworks.find((one) => one === name) ?? framework)}
          />
          <Labeled text="Viewer">
            <input value={user} onChange={({ target }) => setUser(target.value)} />
          </Labeled>
          <SearchField
            field={rolesField}
            values={{}}
            value={roles}
            onChange={(codes) => setRoles([codes].flat())}
          />
        </div>
      </Card>
      <Code name="Terminal" code={`${embedCommands(framework)}\n`} />
      {files.map(({ path, code }) => (
        <Code key={path} name={path} code={code} />
      ))}
      <Code name=".env.local" code={envText(tenant)} />
    </div>
  );
};
