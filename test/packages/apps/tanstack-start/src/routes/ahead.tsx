import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { createFileRoute, useRouter } from '@tanstack/react-router';
import { createServerFn } from '@tanstack/react-start';
import { getRequest, setResponseHeader } from '@tanstack/react-start/server';
import { EmbeddedReport, embedKeyOptions } from '@vitrine/react';
import '@vitrine/react/styles.css';
import { keys } from '../keys.server';

let loads = 0;

/** The key is part of the route's data from the server, whenever the router loads that data. */
const loadKey = createServerFn().handler(async () => {
  setResponseHeader('cache-control', 'no-store');
  const { url, headers } = getRequest();
  const queryClient = new QueryClient();
  await queryClient.prefetchQuery(
    embedKeyOptions(1042, {
      headers: () => ({ cookie: headers.get('cookie') ?? '' }),
      fetch: (path, init) => keys(new Request(new URL(path instanceof Request ? path.url : path, url), init)),
    }),
  );
  loads += 1;
  return { text: JSON.stringify(dehydrate(queryClient)), loads };
});

const Ahead = () => {
  const { text, loads } = Route.useLoaderData();
  const router = useRouter();
  return (
    <HydrationBoundary state={JSON.parse(text)}>
      <p>
        Loaded <span id="loads">{loads}</span> times
      </p>
      <button type="button" onClick={() => void router.invalidate()}>
        Revalidate
      </button>
      <EmbeddedReport itemId={1042} title="Sales by region" height={480} />
    </HydrationBoundary>
  );
};

export const Route = createFileRoute('/ahead')({ loader: () => loadKey(), component: Ahead });
