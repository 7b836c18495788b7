import type { Meta, StoryObj } from '@storybook/react-vite';
import type { FakeEmbed } from '@vitrine/react/testing';
import { expect, userEvent } from 'storybook/test';
import { SelectionNextToReport } from './examples/SelectionNextToReport.tsx';
import code from './examples/SelectionNextToReport.tsx?raw';
import { stageOf } from './scene/onStage.tsx';
import { shownCode } from './scene/shownCode.ts';

const regions = ['North', 'South'] as const;

/** Buttons in place of clicks in the report. */
const Clicks = ({ act }: Pick<FakeEmbed, 'act'>) => (
  <p style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
    {regions.map((value) => (
      <button
        key={value}
        type="button"
        className="host-button"
        onClick={() =>
          act({
            itemId: 1042,
            rows: [{ identity: [{ table: 'Sales', column: 'Region', value }], values: [] }],
            message: `${value} is open in the CRM.`,
          })
        }
      >
        Simulate a click on “{value}”
      </button>
    ))}
    <button
      type="button"
      className="host-button"
      onClick={() => act({ itemId: 1042, rows: [], isCleared: true })}
    >
      Simulate clearing the selection
    </button>
  </p>
);

/**
 * A click on a visual goes from the portal to your backend, and from there to `onAction` of the report, only for the
 * person who clicked. In the demo (`npm start`), the whole path is real; here, `@vitrine/react/testing` replaces the
 * backend.
 */
const meta = {
  title: 'Hooks/useReportActions',
  component: SelectionNextToReport,
  parameters: { docs: { source: { code: shownCode(code) } }, controls: { disable: true } },
  render: (_, context) => (
    <>
      <SelectionNextToReport />
      <Clicks act={stageOf(context).fake.act} />
    </>
  ),
} satisfies Meta<typeof SelectionNextToReport>;

export default meta;

type Story = StoryObj<typeof meta>;

const click = async (
  canvas: { getByRole: (role: string, options: { name: RegExp }) => HTMLElement },
  name: RegExp,
) => userEvent.click(canvas.getByRole('button', { name }));

/** The selection appears next to the report, and disappears when it is cleared. */
export const SelectionOnTheHostPage: Story = {
  play: async ({ canvas }) => {
    await click(canvas, /North/);
    await expect(await canvas.findByText('North', {}, { timeout: 5000 })).toBeVisible();
    await expect(canvas.getByText('North is open in the CRM.')).toBeVisible();
    await click(canvas, /clearing/);
    await expect(await canvas.findByText('Nothing is selected.', {}, { timeout: 5000 })).toBeVisible();
    await click(canvas, /South/);
    await expect(await canvas.findByText('South', {}, { timeout: 5000 })).toBeVisible();
  },
};
