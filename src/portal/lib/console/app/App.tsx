import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PortalTenant } from '../../tenants/describeTenants.ts';
import { AuditView } from './AuditView.tsx';
import { ask, rowsOf } from './api.ts';
import { ConsoleContext, type Opened, type Place, type Question, usePlace } from './context.tsx';
import { FaultsView } from './FaultsView.tsx';
import { DeliveriesView, RequestsView } from './LogViews.tsx';
import { OverviewView } from './OverviewView.tsx';
import { ClockView, StateView } from './PortalViews.tsx';
import { Button, Confirmation, Nothing, RowDetails } from './parts.tsx';
import { EmbedView, PreviewView } from './ReportViews.tsx';
import { ResourceView } from './ResourceView.tsx';
import { resourceViews, tenantsView } from './resourceViews.ts';

type View = readonly [name: string, title: string, show: () => React.JSX.Element];

/** The menu: views of the chosen tenant, and of the whole portal. */
const groups: readonly (readonly [title: string, views: readonly View[]])[] = [
  [
    'Tenant',
    [
      ['overview', 'Overview', () => <OverviewView />],
      ...resourceViews.map(
        (definition): View => [
          definition.name,
          definition.title,
          () => <ResourceView definition={definition} />,
        ],
      ),
      ['audit-logs', 'Audit log', () => <AuditView />],
    ],
  ],
  [
    'Reports',
    [
      ['preview', 'Preview', () => <PreviewView />],
      ['embed', 'Embed', () => <EmbedView />],
    ],
  ],
  [
    'Traffic',
    [
      ['requests', 'Requests', () => <RequestsView />],
      ['deliveries', 'Webhooks', () => <DeliveriesView />],
    ],
  ],
  [
    'Portal',
    [
      ['tenants', 'Tenants', () => <ResourceView definition={tenantsView} />],
      ['clock', 'Clock', () => <ClockView />],
      ['faults', 'Faults', () => <FaultsView />],
      ['state', 'State', () => <StateView />],
    ],
  ],
];
const views = groups.flatMap(([, ofGroup]) => ofGroup);

/** What the address asks for and does not exist. */
const unknownIn = (
  { view, tenancyName }: Place,
  tenants: readonly PortalTenant[],
  shownTenant: string,
): string =>
  [
    ...(view === '' || views.some(([name]) => name === view) ? [] : [`There is no page "${view}".`]),
    ...(tenancyName === undefined || tenants.some((tenant) => tenant.tenancyName === tenancyName)
      ? []
      : [`There is no tenant "${tenancyName}"; this is ${shownTenant}.`]),
  ].join(' ');

/** Reads what an event of the portal changed. A burst of events causes one request. */
const useEvents = () => {
  const client = useQueryClient();
  useEffect(() => {
    const events = new EventSource('/_control/events');
    const changed = new Set<string>();
    let isReading = false;
    const read = async () => {
      isReading = true;
      while (changed.size > 0) {
        const names = [...changed];
        changed.clear();
        await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
      }
      isReading = false;
    };
    const onEvent = (...names: readonly string[]) => {
      for (const name of names) changed.add(name);
      if (!isReading) void read();
    };
    events.addEventListener('request', () => onEvent('requests'));
    events.addEventListener('delivery', () => onEvent('deliveries'));
    events.addEventListener('clock', () => onEvent('clock'));
    // A reopened stream may have missed events.
    events.addEventListener('open', () => onEvent('requests', 'deliveries', 'clock'));
    return () => events.close();
  }, [client]);
};

const Navigation = ({ view, tenancyName }: { readonly view: string; readonly tenancyName: string }) => (
  <nav id="views" aria-label="Views">
    {groups.map(([title, ofGroup]) => (
      <div className="group" key={title}>
        <h2>{title}</h2>
        {ofGroup.map(([name, text]) => (
          <a key={name} href={`#${name}/${tenancyName}`} aria-current={name === view ? 'page' : undefined}>
            {text}
          </a>
        ))}
        {title === 'Portal' && <a href="/docs">API</a>}
      </div>
    ))}
  </nav>
);

/** The page with its menu, for tenants that have been read. */
const Page = ({ tenants }: { readonly tenants: readonly [PortalTenant, ...PortalTenant[]] }) => {
  const place = usePlace();
  const { hash } = window.location;
  const [message, setMessage] = useState({ text: '', hash });
  const [question, setQuestion] = useState<Question & { readonly hash: string }>();
  const [opened, setOpened] = useState<Opened & { readonly hash: string }>();
  const [openMenu, setOpenMenu] = useState<string>();
  const [last, setLast] = useState(tenants[0].tenancyName);
  const content = useRef<HTMLElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  useEvents();
  const tenant =
    tenants.find(({ tenancyName }) => tenancyName === place.tenancyName) ??
    tenants.find(({ tenancyName }) => tenancyName === last) ??
    tenants[0];
  const { tenancyName } = tenant;
  if (last !== tenancyName) setLast(tenancyName);
  const [view, , show] = views.find(([name]) => name === place.view) ??
    [...views][0] ?? ['', '', () => <></>];
  const value = useMemo(
    () => ({
      tenants,
      tenant,
      // What is said by a view that was left is said where its user is now.
      say: (text: string) => setMessage({ text, hash: window.location.hash }),
      open: (row: Opened) => setOpened({ ...row, hash: window.location.hash }),
      confirm: (asked: Question) => setQuestion({ ...asked, hash: window.location.hash }),
    }),
    [tenants, tenant],
  );
  // What was open where its user was before stays closed after the way back.
  if (opened !== undefined && opened.hash !== hash) setOpened(undefined);
  if (question !== undefined && question.hash !== hash) setQuestion(undefined);
  const isMenuOpen = openMenu === hash;
  useEffect(() => {
    if (!isMenuOpen) return undefined;
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpenMenu(undefined);
      menu.current?.focus();
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [isMenuOpen]);
  return (
    <ConsoleContext value={value}>
      <button type="button" className="skip" onClick={() => content.current?.focus()}>
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
            window.location.hash = `#${view}/${target.value}`;
          }}
        >
          {tenants.map((one) => (
            <option key={one.tenantId}>{one.tenancyName}</option>
          ))}
        </select>
        <button
          type="button"
          className="menu"
          ref={menu}
          aria-controls="views"
          aria-expanded={isMenuOpen}
          onClick={() => setOpenMenu(isMenuOpen ? undefined : hash)}
        >
          Menu
        </button>
      </header>
      <div className={isMenuOpen ? 'body open' : 'body'}>
        <Navigation view={view} tenancyName={tenancyName} />
        <main ref={content} tabIndex={-1}>
          <output className="message">
            {(message.hash === hash && message.text) || unknownIn(place, tenants, tenancyName)}
          </output>
          <div key={`${view}/${tenancyName}/${place.subject}`}>{show()}</div>
        </main>
      </div>
      {opened?.hash === hash && <RowDetails opened={opened} onClose={() => setOpened(undefined)} />}
      {question?.hash === hash && <Confirmation question={question} onClose={() => setQuestion(undefined)} />}
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
  return first === undefined ? (
    <main>
      <Nothing error={error} isLoading={isPending}>
        This portal has no tenants.{' '}
        <Button onPress={() => ask('POST', '/reset').then(() => window.location.reload())}>
          Reset to seed
        </Button>
      </Nothing>
    </main>
  ) : (
    <Page tenants={[first, ...others]} />
  );
};
