import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { accessLists } from './access.ts';
import { ask } from './api.ts';
import { Connection } from './Connection.tsx';
import { contentLists } from './content.ts';
import { ConsoleContext } from './context.tsx';
import { mayLeave } from './dialogs.tsx';
import { faultList } from './faults.ts';
import { ListView } from './ListView.tsx';
import type { ListDefinition } from './listDefinition.ts';
import { auditLog, requestLog, webhookLog } from './logs.tsx';
import { ClockView, tenantsList } from './PortalViews.tsx';
import { Button } from './parts.tsx';
import { reportViews } from './ReportViews.tsx';

/** A view with a list, or with its own content. */
type View = ListDefinition | (Pick<ListDefinition, 'name' | 'title'> & { readonly content: ReactNode });

/** How the product's mark is drawn. */
const drawn = { fill: 'none', stroke: 'var(--accent)', strokeWidth: 3, strokeLinecap: 'round' } as const;

const overview: View = { name: 'overview', title: 'Overview', content: <Connection /> };

/** The menu: views of the chosen tenant, and of the whole portal. */
const groups: Readonly<Record<string, readonly View[]>> = {
  Tenant: [overview, ...accessLists, ...contentLists, auditLog],
  Reports: reportViews,
  Traffic: [requestLog, webhookLog],
  Portal: [tenantsList, { name: 'clock', title: 'Clock', content: <ClockView /> }, faultList],
};
const views = Object.values(groups).flat();

/** The page with its menu, for tenants that have been read. */
const Page = ({ tenants }: { readonly tenants: readonly [PortalTenant, ...PortalTenant[]] }) => {
  const [hash, setHash] = useState(window.location.hash);
  const [path = '', address = ''] = hash.split('?');
  const [view = '', tenantInAddress, subject = ''] = path.slice(1).split('/');
  const [message, say] = useState('');
  const [dialog, show] = useState<ReactNode>();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // What is said or open belongs to the view that is left.
    const leave = ({ oldURL }: HashChangeEvent) => {
      if (!mayLeave()) return window.history.pushState(null, '', oldURL);
      setHash(window.location.hash);
      say('');
      show(undefined);
      document.querySelector<HTMLElement>('#views:popover-open')?.hidePopover();
    };
    window.addEventListener('hashchange', leave);
    window.onbeforeunload = (event) => {
      if (document.querySelector('dialog[data-edited]') !== null) event.preventDefault();
    };
    return () => window.removeEventListener('hashchange', leave);
  }, []);
  const tenant = tenants.find((one) => one.tenancyName === tenantInAddress) ?? tenants[0];
  const { tenancyName } = tenant;
  const shown = views.find((one) => one.name === view) ?? overview;
  const { name, title } = shown;
  const setAddress = (query: string) => {
    window.history.replaceState(null, '', query === '' ? path || '#' : `${path || '#'}?${query}`);
    setHash(window.location.hash);
  };
  const isKnown = ['', name].includes(view) && (tenantInAddress ?? tenancyName) === tenancyName;
  const unknown = `There is no page ${path}. This is: ${title}, ${tenancyName}.`;
  return (
    <ConsoleContext value={{ tenant, subject, address, setAddress, say, show }}>
      <title>{`${title}, ${tenancyName} – Vitrine portal`}</title>
      <button type="button" className="hidden" onClick={() => main.current?.focus()}>
        Skip to content
      </button>
      <header className="top line">
        <h1 className="line">
          <svg viewBox="0 0 36 40" width="26" height="28" aria-hidden="true" {...drawn}>
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
          {Object.entries(groups).map(([group, ofGroup]) => (
            <div key={group}>
              <h2>{group}</h2>
              {ofGroup.map((one) => (
                <a
                  key={one.name}
                  href={`#${one.name}/${tenancyName}`}
                  aria-current={one.name === name ? 'page' : undefined}
                >
                  {one.title}
                </a>
              ))}
              {group === 'Portal' && <a href="/docs">API</a>}
            </div>
          ))}
        </nav>
        <main ref={main} tabIndex={-1}>
          <output className="message">{message || (isKnown ? '' : unknown)}</output>
          <div key={`${name}/${tenancyName}`}>
            {'content' in shown ? shown.content : <ListView definition={shown} />}
          </div>
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
    queryFn: async () => (await ask('GET', '/tenants'))['items'] as readonly PortalTenant[],
  });
  const [first, ...others] = data ?? [];
  if (first !== undefined) return <Page tenants={[first, ...others]} />;
  return (
    <main className="nothing">
      {error?.message ?? (isPending ? 'Loading…' : 'This portal has no tenants.')}{' '}
      {data !== undefined && (
        <Button onClick={() => ask('POST', '/reset').then(() => window.location.reload())}>
          Reset to seed
        </Button>
      )}
    </main>
  );
};
