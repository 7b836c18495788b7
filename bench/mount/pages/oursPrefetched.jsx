import { QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider, embedKeyOptions } from '@vitrine/react';
import { createRoot } from 'react-dom/client';
import { definePage, itemId, root } from './page.js';

const queryClient = new QueryClient();

definePage({
  prepare: () => queryClient.prefetchQuery(embedKeyOptions(itemId)),
  mount: () =>
    createRoot(root()).render(
      <EmbedProvider queryClient={queryClient}>
        <EmbeddedReport itemId={itemId} title="Sales" />
      </EmbedProvider>,
    ),
});
