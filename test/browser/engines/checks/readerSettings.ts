import { expect } from 'vitest';
import { type Check, type CheckContext, openSignedIn, waitForState, waitUntil } from './check.ts';

const matches = ({ tab }: CheckContext, query: string): Promise<boolean> =>
  tab.evaluate((query: string) => matchMedia(query).matches, query);

export const reducedMotion: Check = {
  title: 'does not animate while it loads with reduced motion',
  continues: true, // after zoomed
  run: async (context) => {
    const { tab } = context;
    expect(await matches(context, '(prefers-reduced-motion: reduce)')).toBe(true);
    // Its appearance while it loads.
    const animations = await tab.evaluate(() => {
      document.querySelector('[data-state]')?.setAttribute('aria-busy', 'true');
      return document.getAnimations().length;
    });
    expect(animations).toBe(0);
  },
};

export const forcedColors: Check = {
  title: 'draws borders around icon and button in forced colors',
  run: async (context) => {
    const { tab } = context;
    context.host.isProxyDown = true;
    try {
      await openSignedIn(context);
      await waitForState(context, 'failed http_502');
    } finally {
      context.host.isProxyDown = false;
    }
    expect(await matches(context, '(forced-colors: active)'), 'the engine forces colors').toBe(true);
    const borders = await tab.evaluate(() =>
      ['.vitrine-message button', '.vitrine-icon'].map((selector) => {
        const element = document.querySelector(selector);
        return element ? getComputedStyle(element).borderTopStyle : 'absent';
      }),
    );
    expect(borders).toEqual(['solid', 'solid']);
  },
};

export const zoomed: Check = {
  title: 'fits the page at 200% zoom, with "Try again" in view',
  continues: true, // after forcedColors
  run: async (context) => {
    const { tab } = context;
    expect(await tab.evaluate(() => devicePixelRatio)).toBe(2);
    const overflow = await tab.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    await tab.click('[role="alert"] button');
    await waitForState(context, 'ready');
    const width = await waitUntil(
      () => tab.evaluate(() => document.querySelector('iframe')?.getBoundingClientRect().width ?? 0),
      (value) => value > 0,
    );
    expect(width).toBeLessThanOrEqual(500);
  },
};
