import { act, fireEvent, render, screen } from '@testing-library/react';
import { EmbedProvider } from '@vitrine/react';
import { ReportPicker, type ReportPickerProps } from '@vitrine/react/picker';
import { createFakeEmbed } from '@vitrine/react/testing';
import { useState } from 'react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';

const items = [
  { itemId: 1042, name: 'Sales by region', type: 'Report' },
  { itemId: 1043, name: 'Order book', type: 'Report' },
  { itemId: 1044, name: '', type: 'App' },
];

const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 0)));

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
  expect(screen.getByRole('alert')).toHaveTextContent('isn’t responding');
  embed.answer('key');
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('status')).toBeVisible();
  await settle();
  expect(options()).toHaveLength(3);
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
  expect(options()).toHaveLength(0);
  expect(fetch).toHaveBeenCalledTimes(2);
});
