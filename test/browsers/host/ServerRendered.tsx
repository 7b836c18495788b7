import { type DehydratedState, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { useState } from 'react';

/** A page whose server requested the key, so that hydration adds the frame. */
export const ServerRendered = ({ state }: { readonly state: DehydratedState }) => {
  const [queryClient] = useState(() => new QueryClient());
  return (
    <EmbedProvider queryClient={queryClient}>
      <HydrationBoundary state={state} queryClient={queryClient}>
        <EmbeddedReport itemId={1042} title="Sales by region" height={480} />
      </HydrationBoundary>
    </EmbedProvider>
  );
};
