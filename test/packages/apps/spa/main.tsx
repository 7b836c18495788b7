import '@vitrine/react/styles.css';
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister';
import { defaultShouldDehydrateQuery, QueryClient } from '@tanstack/react-query';
import { persistQueryClient } from '@tanstack/react-query-persist-client';
import {
  EmbeddedReport,
  type EmbeddedReportProps,
  EmbedProvider,
  embedKeyPrefix,
  type ReportAction,
} from '@vitrine/react';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** The URL of the app, under any path of a proxy, and the element that it renders into. */
const [base = '', name = 'root'] = new URL('.', import.meta.url).pathname.split(
  /(?<=\/)(?:(second)\/)?assets\/$/,
);
const endpoint = `${base}api/embed`;

const ManyReports = () => (
  <>
    {Array.from({ length: 12 }, (_, index) => (
      // The same report five times, and seven others.
      <EmbedProvider key={index} endpoint={index < 5 ? endpoint : `${endpoint}-${index}`}>
        <EmbeddedReport itemId={1042} title={`Report ${index}`} height={200} />
      </EmbedProvider>
    ))}
  </>
);

const HashRoutes = () => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const itemId = Number(hash.replace('#/reports/', '') || 1042);
  return <EmbeddedReport itemId={itemId} title={`Report ${itemId}`} height={480} />;
};

const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: 86_400_000 } } });
const Report = (props: Partial<EmbeddedReportProps>) => (
  <EmbeddedReport itemId={1042} title="Sales by region" height={480} {...props} />
);

const ListeningReport = () => {
  const [clicks, setClicks] = useState<string[]>([]);
  const [status, setStatus] = useState('closed');
  const onAction = ({ rows }: ReportAction) => setClicks((known) => [...known, JSON.stringify(rows)]);
  return (
    <>
      <Report onAction={onAction} onActionStatus={setStatus} />
      <p>Stream: {status}</p>
      <ol>
        {clicks.map((click) => (
          <li key={click}>{click}</li>
        ))}
      </ol>
    </>
  );
};

/** Persists the cache in the browser, without the keys of reports unless `withKeys` is set. */
const persistAll = (withKeys: boolean): void => {
  persistQueryClient({
    queryClient,
    persister: createSyncStoragePersister({ storage: localStorage, throttleTime: 0 }),
    dehydrateOptions: {
      shouldDehydrateQuery: (query) =>
        (withKeys || query.queryKey[0] !== embedKeyPrefix) && defaultShouldDehydrateQuery(query),
    },
  });
};

/** What the copies of this module on a page share, as with a shell of micro-frontends. */
const shell = globalThis as { sharedClient?: QueryClient };
shell.sharedClient ??= queryClient;

const views: Readonly<Record<string, ReactNode>> = {
  concealed: <Report concealKey />,
  many: <ManyReports />,
  hash: <HashRoutes />,
  listening: <ListeningReport />,
};
const clients: Readonly<Record<string, QueryClient>> = { shared: shell.sharedClient, persisted: queryClient };

const wishes = new URLSearchParams(location.search);
const view = wishes.get('view') ?? 'report';
if (view === 'persisted') {
  persistAll(wishes.has('keys'));
  queryClient.setQueryData(['theme'], 'dark');
}
const root = document.getElementById(name);
if (root === null) throw new Error(`index.html has no element ${name}.`);
createRoot(root).render(
  <StrictMode>
    <EmbedProvider endpoint={endpoint} queryClient={clients[view]}>
      {views[view] ?? <Report />}
    </EmbedProvider>
  </StrictMode>,
);
