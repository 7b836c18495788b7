import { hydrate, QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { hydrateRoot } from 'react-dom/client';
import { definePage, dehydratedState, itemId, root } from './page.js';

/** The HTML holds the rendered component, frame and all; React takes it over. */
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
