import '@vitrine/react/styles.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { EmbedProvider } from '@vitrine/react';
import { type ReactNode, useState } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';

export const Layout = ({ children }: { children: ReactNode }) => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <link rel="icon" href="data:," />
      <Meta />
      <Links />
    </head>
    <body>
      {children}
      <ScrollRestoration />
      <Scripts />
    </body>
  </html>
);

export default function App() {
  const [queryClient] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queryClient}>
      <EmbedProvider queryClient={queryClient}>
        <Outlet />
      </EmbedProvider>
    </QueryClientProvider>
  );
}
