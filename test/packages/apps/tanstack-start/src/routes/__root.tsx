import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router';
import { EmbedProvider } from '@vitrine/react';
import { useState } from 'react';

const Root = () => {
  const [queryClient] = useState(() => new QueryClient());
  return (
    <html lang="en">
      <head>
        <link rel="icon" href="data:," />
        <HeadContent />
      </head>
      <body>
        <QueryClientProvider client={queryClient}>
          <EmbedProvider queryClient={queryClient}>
            <Outlet />
          </EmbedProvider>
        </QueryClientProvider>
        <Scripts />
      </body>
    </html>
  );
};

export const Route = createRootRoute({ component: Root });
