import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

const root = document.querySelector('#console');
// The portal is next to the browser: a request that fails is not repeated, and what was read is read again when it is shown.
const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
  );
