import type { Meta, StoryObj } from '@storybook/react-vite';
import { EmbeddedReport, EmbedProvider, type ReportAction } from '@vitrine/react';
import { createFakeEmbed, type FakeEmbed } from '@vitrine/react/testing';
import { useState } from 'react';
import { expect, userEvent } from 'storybook/test';
import { sampleReport } from './sampleReport.ts';

interface SelectionBesideReportProps {
  readonly fake: FakeEmbed;
}

const regions = ['North', 'South'] as const;

/** A host page: the report, what was clicked in it, and buttons that stand for a click on a bar. */
const SelectionBesideReport = ({ fake }: SelectionBesideReportProps) => {
  const [action, setAction] = useState<ReportAction>();
  return (
    <EmbedProvider {...fake.provider}>
      <div className="host-beside">
        <EmbeddedReport itemId={1042} title="Sales by region" height={480} onAction={setAction} />
        <aside aria-label="Selection" aria-live="polite" className="host-card host-aside">
          <strong>Your selection</strong>
          {action === undefined || action.isClear ? (
            <span className="host-muted">Nothing is selected.</span>
          ) : (
            action.rows.map(({ identity }) => (
              <span key={JSON.stringify(identity)}>
                {identity.map(({ value }) => String(value)).join(', ')}
              </span>
            ))
          )}
          {action?.message && <span className="host-muted">{action.message}</span>}
          <hr />
          {regions.map((region) => (
            <button
              key={region}
              type="button"
              className="host-button"
              onClick={() =>
                fake.act({
                  itemId: 1042,
                  rows: [{ identity: [{ table: 'Sales', column: 'Region', value: region }], values: [] }],
                  message: `${region} is open in the CRM.`,
                })
              }
            >
              As if “{region}” was clicked
            </button>
          ))}
          <button
            type="button"
            className="host-button"
            onClick={() => fake.act({ itemId: 1042, rows: [], isClear: true })}
          >
            As if it was taken back
          </button>
        </aside>
      </div>
    </EmbedProvider>
  );
};

/**
 * A click on a visual travels from the portal to the host's backend, and from there to `onAction` of the report, for the
 * person who clicked alone. In the demo (`npm start`) the whole way is real; here the backend is the one of
 * `@vitrine/react/testing`.
 */
const meta = {
  title: 'Actions',
  component: SelectionBesideReport,
  args: { fake: undefined as unknown as FakeEmbed },
  argTypes: { fake: { table: { disable: true } } },
  loaders: [() => ({ fake: createFakeEmbed({ page: sampleReport }) })],
  render: (_, { loaded }) => <SelectionBesideReport fake={loaded['fake'] as FakeEmbed} />,
} satisfies Meta<typeof SelectionBesideReport>;

export default meta;

type Story = StoryObj<typeof meta>;

const click = async (
  canvas: { getByRole: (role: string, options: { name: RegExp }) => HTMLElement },
  name: RegExp,
) => userEvent.click(canvas.getByRole('button', { name }));

/** What was picked stands beside the report, and goes when the selection is taken back. */
export const SelectionOnTheHostPage: Story = {
  play: async ({ canvas }) => {
    await click(canvas, /North/);
    await expect(await canvas.findByText('North', {}, { timeout: 5000 })).toBeVisible();
    await expect(canvas.getByText('North is open in the CRM.')).toBeVisible();
    await click(canvas, /taken back/);
    await expect(await canvas.findByText('Nothing is selected.', {}, { timeout: 5000 })).toBeVisible();
    await click(canvas, /South/);
    await expect(await canvas.findByText('South', {}, { timeout: 5000 })).toBeVisible();
  },
};
