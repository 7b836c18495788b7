import { QueryClient } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Link as TanStackLink,
  RouterProvider as TanStackRouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider, embedKeyOptions } from '@vitrine/react';
import { createFakeEmbed, type FakeEmbed } from '@vitrine/react/testing';
import type { ReactNode } from 'react';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { describe, expect, it } from 'vitest';

interface Pages {
  readonly embed: FakeEmbed;
  readonly queryClient: QueryClient;
  /** As a route's loader does: request the key before the page renders. */
  readonly loader: () => Promise<unknown>;
  readonly report: () => ReactNode;
}

const pages = (): Pages => {
  const embed = createFakeEmbed();
  const queryClient = new QueryClient();
  return {
    embed,
    queryClient,
    loader: () => queryClient.ensureQueryData(embedKeyOptions(1042, embed.provider)),
    report: () => (
      <EmbedProvider {...embed.provider} queryClient={queryClient}>
        <EmbeddedReport itemId={1042} title="Sales by region" />
      </EmbedProvider>
    ),
  };
};

/** Follows the link to the report, and returns the URL of its frame and the number of requested keys. */
const followLink = async ({ embed }: Pages) => {
  fireEvent.click(await screen.findByRole('link', { name: 'Sales' }));
  const frame = await screen.findByTitle('Sales by region');
  return { address: frame.getAttribute('src'), requests: embed.requests };
};
const oneKey = { address: expect.stringContaining('/report/1042?ev='), requests: [1042] };

describe('a key that a loader requested', () => {
  it('is used by the report in React Router', async () => {
    const own = pages();
    const { loader, report } = own;
    const router = createMemoryRouter([
      { path: '/', element: <Link to="/sales">Sales</Link> },
      { path: '/sales', loader: async () => (await loader(), null), Component: () => report() },
    ]);
    render(<RouterProvider router={router} />);
    expect(await followLink(own)).toEqual(oneKey);
  });

  it('is used by the report in TanStack Router', async () => {
    const own = pages();
    const { loader, report } = own;
    const root = createRootRoute();
    const home = createRoute({
      getParentRoute: () => root,
      path: '/',
      component: () => <TanStackLink to="/sales">Sales</TanStackLink>,
    });
    const sales = createRoute({
      getParentRoute: () => root,
      path: '/sales',
      loader,
      component: () => report(),
    });
    const router = createRouter({
      routeTree: root.addChildren([home, sales]),
      history: createMemoryHistory({ initialEntries: ['/'] }),
    });
    render(<TanStackRouterProvider router={router} />);
    expect(await followLink(own)).toEqual(oneKey);
  });
});
