import { act, fireEvent, render, screen } from '@testing-library/react';
import { requestMarkerHeader } from '@vitrine/contract';
import { EmbedProvider, useEmbed } from '@vitrine/react';
import { ReportPicker, type ReportPickerProps } from '@vitrine/react/picker';
import { createFakeEmbed } from '@vitrine/react/testing';
import { useState } from 'react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';

const items = [
  { itemId: 1042, name: 'Sales by region', type: 'Report' },
  { itemId: 1043, name: 'Order book', type: 'Report' },
  { itemId: 1044, name: '', type: 'App' },
];

/** React Query notifies a component in a turn of its own. */
const settle = () =>
  act(async () => {
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
  });

const setUp = (props: Partial<ReportPickerProps> = {}, shown = items) => {
  const embed = createFakeEmbed({ items: shown });
  onTestFinished(embed.close);
  const onSelect = vi.fn<(report: object) => void>();
  const fetch = vi.fn<NonNullable<typeof embed.provider.fetch>>(embed.provider.fetch);
  const Page = ({ viewerKey }: { readonly viewerKey: string | null }) => {
    const [itemId, setItemId] = useState<number>();
    const select = (report: { readonly itemId: number }) => {
      onSelect(report);
      setItemId(report.itemId);
    };
    return (
      <EmbedProvider endpoint={embed.provider.endpoint} fetch={fetch} viewerKey={viewerKey}>
        <ReportPicker itemId={itemId} onSelect={select} {...props} />
      </EmbedProvider>
    );
  };
  return { embed, fetch, onSelect, Page };
};

const options = () => screen.queryAllByRole<HTMLInputElement>('radio');
const names = () => options().map((option) => option.parentElement?.textContent);
const selected = () => options().findIndex(({ checked }) => checked);

afterEach(() => vi.restoreAllMocks());

it('lists the reports that the viewer may open', async () => {
  const { Page, fetch } = setUp();
  render(<Page viewerKey="ann" />);
  expect(screen.getByRole('status')).toHaveTextContent('Loading');
  await settle();
  expect(screen.getByRole('group', { name: 'Reports' })).toBeVisible();
  expect(names()).toEqual(['Sales by region', 'Order book', '1044']);
  expect(selected()).toBe(-1);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('selects a report, one at a time', async () => {
  const { Page, onSelect } = setUp();
  render(<Page viewerKey="ann" />);
  await settle();
  for (const index of [1, 2]) {
    fireEvent.click(screen.getByText(names()[index] ?? ''));
    expect(onSelect).toHaveBeenLastCalledWith(items[index]);
    expect(selected()).toBe(index);
  }
});

it('renders rows of the host', async () => {
  const { Page } = setUp({ renderReport: ({ name, type }) => `${type}: ${name}` });
  render(<Page viewerKey="ann" />);
  await settle();
  expect(names()[1]).toBe('Report: Order book');
});

it('says when there is nothing to open', async () => {
  const { Page } = setUp({}, []);
  render(<Page viewerKey="ann" />);
  await settle();
  expect(screen.getByRole('status')).toHaveTextContent('There aren’t any reports for you.');
});

it('says why the list cannot be loaded, and requests it again', async () => {
  const { embed, Page } = setUp();
  embed.answer('portal_unavailable');
  render(<Page viewerKey="ann" />);
  await settle();
  expect(screen.getByRole('alert')).toHaveTextContent('The reports can’t be loaded');
  expect(screen.getByRole('alert').parentElement).toHaveAttribute('data-code', 'portal_unavailable');
  embed.answer('key');
  const button = screen.getByRole('button', { name: 'Try again' });
  button.focus();
  fireEvent.click(button);
  await settle();
  expect(options()).toHaveLength(3);
  expect(document.activeElement).toHaveClass('vitrine-picker');
});

it('keeps the message while it tries again by itself, marked as automatic', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { embed, Page, fetch } = setUp();
  embed.answer('portal_unavailable');
  render(<Page viewerKey="ann" />);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.getByRole('alert')).toHaveTextContent('Trying again within 30 seconds');
  const message = screen.getByRole('alert');
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(screen.getByRole('alert')).toBe(message);
  embed.answer('key');
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(options()).toHaveLength(3);
  await act(() => vi.advanceTimersByTimeAsync(120_000));
  const markers = fetch.mock.calls.map(([, init]) => new Headers(init?.headers).get(requestMarkerHeader));
  expect(markers).toEqual(['viewer', 'automatic', 'automatic']);
});

it('requests the list again after a sign-in, and with `retryAll()`', async () => {
  const { embed, fetch } = setUp();
  const Retry = () => <button onClick={useEmbed().retryAll}>Retry all</button>;
  embed.answer('signed_out');
  const signIn = async () => embed.answer('key');
  render(
    <EmbedProvider {...embed.provider} fetch={fetch} onSignIn={signIn}>
      <ReportPicker onSelect={() => {}} />
      <ReportPicker onSelect={() => {}} />
      <Retry />
    </EmbedProvider>,
  );
  await settle();
  expect(fetch).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole('button', { name: 'Retry all' }));
  await settle();
  expect(fetch).toHaveBeenCalledTimes(2);
  fireEvent.click(screen.getAllByRole('button', { name: 'Sign in' })[0] as HTMLElement);
  await settle();
  expect(options()).toHaveLength(6);
  expect(fetch).toHaveBeenCalledTimes(3);
});

it('never shows one viewer the list of another, and requests nothing for nobody', async () => {
  const { Page, fetch } = setUp();
  const { rerender } = render(<Page viewerKey="ann" />);
  await settle();
  rerender(<Page viewerKey="bob" />);
  expect(options()).toHaveLength(0);
  await settle();
  expect(options()).toHaveLength(3);
  rerender(<Page viewerKey={null} />);
  await settle();
  expect(screen.queryByRole('status')).toBeNull();
  expect(options()).toHaveLength(0);
  expect(fetch).toHaveBeenCalledTimes(2);
});
