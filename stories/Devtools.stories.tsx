import type { Meta, StoryObj } from '@storybook/react-vite';
import { VitrineDevtools } from '@vitrine/react/devtools';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ReportWithDevtools } from './examples/ReportWithDevtools.tsx';
import code from './examples/ReportWithDevtools.tsx?raw';
import { stageOf } from './scene/onStage.tsx';
import { shownCode } from './scene/shownCode.ts';

/**
 * `<VitrineDevtools />` shows every report on the page with its key, frames and last errors, and simulates failures.
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

/** The panel is open; a failure of the backend is simulated and ended. */
export const Panel: Story = {
  play: async ({ canvas, canvasElement, loaded }) => {
    const { fake } = stageOf({ loaded });
    // A report requests a key at most every ten seconds.
    const press = async (name: string) => {
      fake.advance(11_000);
      await userEvent.click(canvas.getByRole('button', { name }));
    };
    const stateOf = () => canvasElement.querySelector('[data-state]')?.getAttribute('data-state');
    await userEvent.click(await canvas.findByRole('button', { name: 'Vitrine devtools' }, { timeout: 5000 }));
    await waitFor(() => expect(stateOf()).toBe('ready'), { timeout: 5000 });
    await press('Simulate: Backend error');
    await waitFor(() => expect(stateOf()).toBe('degraded'), { timeout: 5000 });
    await expect(
      await canvas.findByText(/internal_error \(request simulated\)/, {}, { timeout: 5000 }),
    ).toBeVisible();
    const namesOf = () => [...canvasElement.querySelectorAll('iframe')].map(({ name }) => name);
    const before = namesOf();
    await press('Stop: Backend error');
    await waitFor(
      () => {
        const names = namesOf();
        return expect(names.length === 1 && names[0] !== before[0]).toBe(true);
      },
      { timeout: 5000 },
    );
    await expect(stateOf()).toBe('ready');
    await press('Slow frame: report 1042');
    await waitFor(() => expect(stateOf()).toBe('failed'), { timeout: 5000 });
    await press('Renew now: report 1042');
    await waitFor(() => expect(stateOf()).toBe('ready'), { timeout: 5000 });
  },
};
