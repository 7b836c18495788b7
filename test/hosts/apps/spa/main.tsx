import '@vitrine/react/styles.css';
import { QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { persistAll } from './persistAll.ts';

/** Where the app lies, below whatever path a proxy gives it. */
const base = new URL('.', import.meta.url).pathname.replace(/assets\/$/, '');
const endpoint = `${base}api/embed`;

const ManyReports = () => (
  <>
    {Array.from({ length: 30 }, (_, index) => (
      // Ten times the same report, and twenty others.
      <EmbedProvider key={index} endpoint={index < 10 ? endpoint : `${endpoint}-${index}`}>
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
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no root.');
createRoot(root).render(<StrictMode>{views[view]?.()}</StrictMode>);
