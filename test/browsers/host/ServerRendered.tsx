import {
  type DehydratedState,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { type ReactNode, useState } from 'react';

const stateId = 'server-state';

/** The state that the server sent with a page that it rendered. */
export const readServerState = (): DehydratedState | undefined => {
  const text = document.getElementById(stateId)?.textContent;
  return text ? JSON.parse(text) : undefined;
};

/** The element that carries the state to the browser. */
export const serverStateScript = (state: DehydratedState): string =>
  `<script type="application/json" id="${stateId}">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script>`;

/** A page whose server requested the key, so that hydration adds the frame. */
export const ServerRendered = ({ state }: { readonly state: DehydratedState }): ReactNode => {
  const [queryClient] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queryClient}>
      <EmbedProvider queryClient={queryClient}>
        <HydrationBoundary state={state}>
          <EmbeddedReport itemId={1042} title="Sales by region" height={480} />
        </HydrationBoundary>
      </EmbedProvider>
    </QueryClientProvider>
  );
};
