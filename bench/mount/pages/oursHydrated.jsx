import { hydrate, QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { createRoot } from 'react-dom/client';
import { definePage, dehydratedState, itemId, root } from './page.js';

/** The page's HTML contains the key, in React Query's dehydrated state. */
const queryClient = new QueryClient();
hydrate(queryClient, dehydratedState);

definePage({
  mount: () =>
    createRoot(root()).render(
      <EmbedProvider queryClient={queryClient}>
        <EmbeddedReport itemId={itemId} title="Sales" />
      </EmbedProvider>,
    ),
});
