import { expect } from 'vitest';
import { type Check, shownFrame, waitForRegions, waitUntil } from './check.ts';

export const colorScheme: Check = {
  title: 'turns dark and light with the `color-scheme` of the host, without loading the report again',
  continues: true, // after signIn
  run: async (context) => {
    const { tab } = context;
    await waitForRegions(context);
    const readFrame = () =>
      tab.frame(shownFrame).evaluate(() => ({
        isDark: matchMedia('(prefers-color-scheme: dark)').matches,
        startedAt: performance.timeOrigin,
        background: getComputedStyle(document.body).backgroundColor,
      }));
    const setScheme = async (scheme: string) => {
      await tab.evaluate((value: string) => {
        document.documentElement.style.colorScheme = value;
      }, scheme);
      return waitUntil(readFrame, ({ isDark }) => isDark === (scheme === 'dark'));
    };
    const light = await setScheme('light');
    const dark = await setScheme('dark');
    expect(dark.startedAt).toBe(light.startedAt);
    expect(dark.background).not.toBe(light.background);
    await setScheme('light');
  },
};
