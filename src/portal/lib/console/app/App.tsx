import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { ask, rowsOf } from './api.ts';
import { ConsoleContext, usePlace } from './context.tsx';
import { faultList } from './faults.ts';
import { type ListDefinition, ListView } from './ListView.tsx';
import { auditLog, requestLog, webhookLog } from './logs.tsx';
import { OverviewView } from './OverviewView.tsx';
import { ClockView, tenantsList } from './PortalViews.tsx';
import { Button } from './parts.tsx';
import { EmbedView, PreviewView } from './ReportViews.tsx';
import { resourceLists } from './resources.ts';

interface View {
  readonly name: string;
  readonly title: string;
  readonly content: ReactNode;
}

const list = (definition: ListDefinition): View => ({
  name: definition.name,
  title: definition.title,
  content: <ListView definition={definition} />,
});

const overview: View = { name: 'overview', title: 'Overview', content: <OverviewView /> };

/** The menu: views of the chosen tenant, and of the whole portal. */
const groups: Readonly<Record<string, readonly View[]>> = {
  Tenant: [overview, ...resourceLists.map(list), list(auditLog)],
  Reports: [
    { name: 'preview', title: 'Preview', content: <PreviewView /> },
    { name: 'embed', title: 'Embed', content: <EmbedView /> },
  ],
  Traffic: [list(requestLog), list(webhookLog)],
  Portal: [list(tenantsList), { name: 'clock', title: 'Clock', content: <ClockView /> }, list(faultList)],
};
const views = Object.values(groups).flat();

/** The page with its menu, for tenants that have been read. */
const Page = ({ tenants }: { readonly tenants: readonly [PortalTenant, ...PortalTenant[]] }) => {
  const place = usePlace();
  const [message, say] = useState('');
  const [dialog, show] = useState<ReactNode>();
  const [last, setLast] = useState(tenants[0].tenancyName);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // What is said or open belongs to the view that is left.
    const leave = () => {
      say('');
      show(undefined);
      document.querySelector<HTMLElement>('#views:popover-open')?.hidePopover();
    };
    window.addEventListener('hashchange', leave);
    return () => window.removeEventListener('hashchange', leave);
  }, []);
  const named = (name: string | undefined) => tenants.find(({ tenancyName }) => tenancyName === name);
  const tenant = named(place.tenancyName) ?? named(last) ?? tenants[0];
  const { tenancyName } = tenant;
  if (last !== tenancyName) setLast(tenancyName);
  const { name, content } = views.find((view) => view.name === place.view) ?? overview;
  const value = useMemo(() => ({ tenants, tenant, say, show }), [tenants, tenant]);
  /** What the address asks for and does not exist. */
  const unknown = [
    place.view === '' || place.view === name ? '' : `There is no page "${place.view}".`,
    place.tenancyName === undefined || place.tenancyName === tenancyName
      ? ''
      : `There is no tenant "${place.tenancyName}"; this is ${tenancyName}.`,
  ];
  return (
    <ConsoleContext value={value}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="top">
        <h1>
          <svg viewBox="0 0 36 40" width="26" height="28" aria-hidden="true">
            <rect x="2.5" y="4.5" width="31" height="31" rx="8" />
            <path d="M11 27v-6M18 27V14M25 27v-9" />
          </svg>
          Vitrine <span>Portal</span>
        </h1>
        <select
          aria-label="Tenant"
          value={tenancyName}
          onChange={({ target }) => {
            window.location.hash = `#${name}/${target.value}`;
          }}
        >
          {tenants.map((one) => (
            <option key={one.tenantId}>{one.tenancyName}</option>
          ))}
        </select>
        <button type="button" className="menu" popoverTarget="views">
          Menu
        </button>
      </header>
      <div className="body">
        <nav id="views" popover="auto" aria-label="Views">
          {Object.entries(groups).map(([title, ofGroup]) => (
            <div className="group" key={title}>
              <h2>{title}</h2>
              {ofGroup.map((view) => (
                <a
                  key={view.name}
                  href={`#${view.name}/${tenancyName}`}
                  aria-current={view.name === name ? 'page' : undefined}
                >
                  {view.title}
                </a>
              ))}
              {title === 'Portal' && <a href="/docs">API</a>}
            </div>
          ))}
        </nav>
        <main ref={main} tabIndex={-1}>
          <output className="message">{message || unknown.filter(Boolean).join(' ')}</output>
          <div key={`${name}/${tenancyName}/${place.subject}`}>{content}</div>
        </main>
      </div>
      {dialog}
    </ConsoleContext>
  );
};

/** The console. */
export const App = () => {
  const { data, error, isPending } = useQuery({
    queryKey: ['tenants'],
    // The type of describeTenants.
    queryFn: async () => rowsOf(await ask('GET', '/tenants')) as unknown as readonly PortalTenant[],
  });
  const [first, ...others] = data ?? [];
  if (first !== undefined) return <Page tenants={[first, ...others]} />;
  return (
    <main className="nothing">
      {error?.message ?? (isPending ? 'Loading…' : 'This portal has no tenants.')}{' '}
      {data !== undefined && (
        <Button onPress={() => ask('POST', '/reset').then(() => window.location.reload())}>
          Reset to seed
        </Button>
      )}
    </main>
  );
};
