import '@vitrine/react/styles.css';
import { QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider, type ReportAction } from '@vitrine/react';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { persistAll } from './persistAll.ts';

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
const report = <EmbeddedReport itemId={1042} title="Sales by region" height={480} />;

const ListeningReport = () => {
  const [clicks, setClicks] = useState<string[]>([]);
  const [status, setStatus] = useState('closed');
  const onAction = ({ rows }: ReportAction) => setClicks((known) => [...known, JSON.stringify(rows)]);
  return (
    <>
      <EmbeddedReport
        itemId={1042}
        title="Sales by region"
        height={480}
        onAction={onAction}
        onActionStatus={setStatus}
      />
      <p>Stream: {status}</p>
      <ol>
        {clicks.map((click) => (
          <li key={click}>{click}</li>
        ))}
      </ol>
    </>
  );
};

/** What the copies of this module on a page share, as with a shell of micro-frontends. */
const shell = globalThis as { sharedClient?: QueryClient };
shell.sharedClient ??= queryClient;

const views: Readonly<Record<string, () => ReactNode>> = {
  report: () => <EmbedProvider endpoint={endpoint}>{report}</EmbedProvider>,
  concealed: () => (
    <EmbedProvider endpoint={endpoint}>
      <EmbeddedReport itemId={1042} title="Sales by region" height={480} concealKey />
    </EmbedProvider>
  ),
  many: () => <ManyReports />,
  hash: () => (
    <EmbedProvider endpoint={endpoint}>
      <HashRoutes />
    </EmbedProvider>
  ),
  listening: () => (
    <EmbedProvider endpoint={endpoint}>
      <ListeningReport />
    </EmbedProvider>
  ),
  shared: () => (
    <EmbedProvider endpoint={endpoint} queryClient={shell.sharedClient}>
      {report}
    </EmbedProvider>
  ),
  persisted: () => (
    <EmbedProvider endpoint={endpoint} queryClient={queryClient}>
      {report}
    </EmbedProvider>
  ),
};

const view = new URLSearchParams(location.search).get('view') ?? 'report';
const wishes = new URLSearchParams(location.search);
if (view === 'persisted') {
  persistAll(queryClient, wishes.has('keys'));
  queryClient.setQueryData(['theme'], 'dark');
}
const root = document.getElementById(name);
if (root === null) throw new Error(`index.html has no element ${name}.`);
createRoot(root).render(<StrictMode>{views[view]?.()}</StrictMode>);
