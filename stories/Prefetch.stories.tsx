import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { PrefetchTabs } from './examples/PrefetchTabs.tsx';
import code from './examples/PrefetchTabs.tsx?raw';
import { until } from './scene/expectations.ts';
import { stageOf } from './scene/onStage.tsx';
import { shownCode } from './scene/shownCode.ts';

/**
 * `usePrefetchReport()` returns a function for `onMouseEnter` and `onFocus`: it prefetches a report's key, once per
 * report, and never rejects. When the report mounts, its frame starts without waiting for a request.
 */
const meta = {
  title: 'Hooks/usePrefetchReport',
  component: PrefetchTabs,
  parameters: { docs: { source: { code: shownCode(code) } }, controls: { disable: true } },
} satisfies Meta<typeof PrefetchTabs>;

export default meta;

/** Hovering over a tab requests one key, hovering again none, and the click uses it. */
export const OnHoverOrFocus: StoryObj<typeof meta> = {
  play: async ({ canvasElement, canvas, loaded }) => {
    const { requests } = stageOf({ loaded }).fake;
    const target = canvas.getByRole('button', { name: 'Sales by region' });
    await userEvent.hover(target);
    await waitFor(() => expect(requests).toEqual([1042]));
    await userEvent.unhover(target);
    await userEvent.hover(target);
    await userEvent.click(target);
    await until(canvasElement, 'ready');
    await expect(requests).toEqual([1042]);
  },
};
