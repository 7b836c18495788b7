import { hydrate, QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { hydrateRoot } from 'react-dom/client';
import { definePage, dehydratedState, itemId, root } from './page.js';

/** The HTML contains the rendered component with its frame; React hydrates it. */
const queryClient = new QueryClient();
hydrate(queryClient, dehydratedState);

definePage({
  mount: () =>
    hydrateRoot(
      root(),
      <EmbedProvider queryClient={queryClient}>
        <EmbeddedReport itemId={itemId} title="Sales" />
      </EmbedProvider>,
    ),
});
