import { expect, waitFor, within } from 'storybook/test';

/** Waits until the report of a story has a state. */
export const until = (canvasElement: HTMLElement, state: string): Promise<void> =>
  waitFor(() => expect(canvasElement.querySelector(`[data-state="${state}"]`)).not.toBeNull(), {
    timeout: 10_000,
  });

/** Waits until the report of a story shows a message. */
export const says = async (canvasElement: HTMLElement, title: string): Promise<void> => {
  const alert = await within(canvasElement).findByRole('alert', {}, { timeout: 10_000 });
  await expect(alert).toHaveTextContent(title);
};
