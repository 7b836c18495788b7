import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport } from '@vitrine/react';
import { ReportPicker } from '@vitrine/react/picker';
import { useState } from 'react';
import { expect, fn, userEvent } from 'storybook/test';
import { ReportList } from './examples/ReportList.tsx';
import code from './examples/ReportList.tsx?raw';
import { says, until } from './scene/expectations.ts';
import { shownCode } from './scene/shownCode.ts';

/** `<ReportPicker>` lists the reports that the viewer may open, from `GET {endpoint}/items`. */
const meta = {
  title: 'Components/ReportPicker',
  component: ReportPicker,
  args: { onSelect: fn() },
  parameters: { docs: { source: { code: shownCode(code) } } },
  render: function Picker({ itemId, onSelect, ...props }) {
    const [picked, pick] = useState(itemId);
    const select: typeof onSelect = (report) => {
      pick(report.itemId);
      onSelect(report);
    };
    return (
      <>
        <ReportPicker {...props} itemId={picked} onSelect={select} />
        {picked !== undefined && <EmbeddedReport itemId={picked} height={320} style={{ marginTop: 16 }} />}
      </>
    );
  },
} satisfies Meta<typeof ReportPicker>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The arrow keys and a click select a report. */
export const Default: Story = {
  render: () => <ReportList />,
  play: async ({ canvas, canvasElement }) => {
    await canvas.findByRole('group', { name: 'Reports' }, { timeout: 10_000 });
    await userEvent.click(canvas.getByText('Sales by region'));
    await userEvent.keyboard('{ArrowDown}');
    await expect(canvas.getByRole('radio', { name: 'Order book' })).toBeChecked();
    await until(canvasElement, 'ready');
  },
};

/** Rows of your own. */
export const Rows: Story = {
  args: {
    renderReport: ({ name, type }) => (
      <>
        {name} <small>{type}</small>
      </>
    ),
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('Dashboard', {}, { timeout: 10_000 })).toBeVisible();
  },
};

/** The viewer may open nothing. */
export const Empty: Story = {
  parameters: { scene: { items: [] } },
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('There aren’t any reports for you.')).toBeVisible();
  },
};

/** The list cannot be loaded. */
export const Failed: Story = {
  parameters: { scene: { answer: 'portal_unavailable' } },
  play: ({ canvasElement }) => says(canvasElement, 'The reports can’t be loaded'),
};
