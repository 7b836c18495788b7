import { QueryClient } from '@tanstack/react-query';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { expect, it, vi } from 'vitest';
import { createTestPage, settle } from '../support/domReport.tsx';
import { problem } from '../support/virtualBackend.ts';

it('merges nested providers: values that the inner one omits or sets to undefined come from the outer one', async () => {
  const { backend, provider } = createTestPage();
  backend.respond = () => problem(401, 'signed_out');
  const onError = vi.fn<() => void>();
  const onStateChange = vi.fn<() => void>();
  const innerOnError = vi.fn<() => void>();
  render(
    <EmbedProvider
      {...provider}
      viewerKey="ann"
      headers={() => ({ authorization: 'outer' })}
      credentials="include"
      labels={{
        signIn: 'Anmelden',
        report: 'Bericht',
        signed_out: { title: 'Abgemeldet', description: 'Bitte anmelden.' },
      }}
      onError={onError}
      onStateChange={onStateChange}
      onSignIn={vi.fn<() => void>()}
      renderLoading={() => <p>Lädt</p>}
    >
      <EmbedProvider
        endpoint={`${provider.endpoint}/inner`}
        headers={undefined}
        labels={{ signIn: 'Encore' }}
        onError={innerOnError}
        renderLoading={undefined}
      >
        <EmbeddedReport itemId={1} />
        <EmbeddedReport itemId={2} enabled={false} />
      </EmbedProvider>
    </EmbedProvider>,
  );
  await settle();
  const [request] = backend.requests;
  expect(request?.url).toBe(`${provider.endpoint}/inner/keys`);
  expect(request?.headers.get('authorization')).toBe('outer');
  expect(request?.credentials).toBe('include');
  expect(screen.getByRole('alert')).toHaveTextContent('AbgemeldetBitte anmelden.Encore');
  expect(screen.getByText('Lädt')).toBeVisible();
  expect(innerOnError).toHaveBeenCalledTimes(1);
  // The inner provider's replaces the outer one.
  expect(onError).not.toHaveBeenCalled();
  expect(onStateChange).toHaveBeenCalled();
});

it('passes the query client, the viewer and the error slot through a provider that sets none', async () => {
  const { backend, environment, provider } = createTestPage();
  backend.respond = () => problem(503, 'portal_unavailable');
  const queryClient = new QueryClient();
  const { unmount } = render(
    <EmbedProvider
      {...provider}
      queryClient={queryClient}
      viewerKey="ann"
      renderError={({ error }) => <p>{error.code}</p>}
    >
      <EmbedProvider>
        <EmbeddedReport itemId={1} />
      </EmbedProvider>
    </EmbedProvider>,
  );
  await settle();
  expect(screen.getByText('portal_unavailable')).toBeVisible();
  expect(queryClient.getQueryCache().getAll()).toMatchObject([
    { queryKey: ['vitrine', provider.endpoint, 'ann', 1] },
  ]);
  expect(environment.timerCount).toBe(1);
  unmount();
  await settle();
  expect(environment.timerCount).toBe(0);
});

it('requests all signed-out reports again when the sign-in of the provider ends: once each', async () => {
  const { backend, environment, provider } = createTestPage();
  backend.respond = () => problem(401, 'signed_out');
  const signIn = async () => {
    backend.respond = undefined;
  };
  render(
    <EmbedProvider {...provider} onSignIn={signIn}>
      <EmbeddedReport itemId={1} />
      <EmbedProvider>
        <EmbeddedReport itemId={2} />
      </EmbedProvider>
    </EmbedProvider>,
  );
  await settle();
  await act(() => environment.advance(2_000));
  expect(backend.requests).toHaveLength(2);
  fireEvent.click(screen.getAllByRole('button', { name: 'Sign in' })[0] as HTMLElement);
  await settle();
  await act(() => environment.advance(2_000));
  expect(screen.queryAllByRole('alert')).toHaveLength(0);
  expect(backend.requests).toHaveLength(4);
});
