import { act, render, screen, waitFor } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';

const show = (page) => {
  const embed = createFakeEmbed();
  const { container } = render(<EmbedProvider {...embed.provider}>{page}</EmbedProvider>);
  const states = () => [...container.querySelectorAll('[data-state]')].map(({ dataset }) => dataset.state);
  return { embed, states };
};

it('works without fetch, Response, Request and streams', () => {
  const missing = ['fetch', 'Response', 'Request', 'ReadableStream', 'TextDecoderStream', 'TextEncoder'];
  expect(missing.filter((name) => name in globalThis)).toEqual([]);
});

it('delivers a click to onAction, even one from before the first listener', async () => {
  const onAction = jest.fn();
  const { embed } = show(<EmbeddedReport itemId={1042} onAction={onAction} />);
  embed.act({ itemId: 1042, message: 'North' });
  await waitFor(() => expect(onAction).toHaveBeenCalledTimes(1));
  embed.act({ itemId: 1042, message: 'South' });
  await waitFor(() => expect(onAction).toHaveBeenCalledTimes(2));
  expect(onAction.mock.calls.map(([{ message }]) => message)).toEqual(['North', 'South']);
});

it('returns a different answer for each item, and loads concealed frames', async () => {
  const { embed, states } = show(
    <>
      <EmbeddedReport itemId={1} concealKey />
      <EmbeddedReport itemId={2} />
    </>,
  );
  embed.answer('report_unavailable', 2);
  await screen.findByText('This report isn’t available');
  // The empty document of a concealed frame also fires load, which says nothing about the report.
  await act(async () => embed.frames()[0].dispatchEvent(new Event('load')));
  expect(states()).toEqual(['loading', 'failed']);
  await act(async () => embed.load());
  await waitFor(() => expect(states()).toEqual(['ready', 'failed']));
});
