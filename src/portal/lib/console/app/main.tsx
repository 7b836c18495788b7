import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

const root = document.querySelector('#console');
if (root !== null) {
  // The portal is next to the browser: a request that fails is not repeated, and what was read is read again when it is shown.
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>,
  );
}
