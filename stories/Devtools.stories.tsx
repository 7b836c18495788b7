import type { Meta, StoryObj } from '@storybook/react-vite';
import { VitrineDevtools } from '@vitrine/react/devtools';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ReportWithDevtools } from './examples/ReportWithDevtools.tsx';
import code from './examples/ReportWithDevtools.tsx?raw';
import { stageOf } from './scene/onStage.tsx';
import { shownCode } from './scene/shownCode.ts';

/**
 * `<VitrineDevtools />` shows every report on the page with its key, frames and latest events.
 * Render it in development only.
 */
const meta = {
  tags: ['autodocs'],
  title: 'Components/VitrineDevtools',
  component: VitrineDevtools,
  // The panel covers part of the page.
  parameters: {
    docs: { story: { inline: false, height: 640 }, source: { code: shownCode(code) } },
    controls: { disable: true },
  },
  render: () => <ReportWithDevtools />,
} satisfies Meta<typeof VitrineDevtools>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The panel is open: the report is renewed, then its access ends. */
export const Panel: Story = {
  play: async ({ canvas, canvasElement, loaded }) => {
    const { fake } = stageOf({ loaded });
    const stateOf = () => canvasElement.querySelector('[data-state]')?.getAttribute('data-state');
    await userEvent.click(await canvas.findByRole('button', { name: 'Vitrine devtools' }, { timeout: 5000 }));
    await waitFor(() => expect(stateOf()).toBe('ready'), { timeout: 5000 });
    fake.answer('report_unavailable');
    fake.advance(11_000); // a report requests a key at most every ten seconds
    await userEvent.click(canvas.getByRole('button', { name: 'Renew now: report 1042' }));
    await waitFor(() => expect(stateOf()).toBe('failed'), { timeout: 5000 });
    await expect(
      await canvas.findByText(/report 1042: report_unavailable/, {}, { timeout: 5000 }),
    ).toBeVisible();
  },
};
