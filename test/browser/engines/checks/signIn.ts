import { expect } from 'vitest';
import { type Check, openSignedIn, shownFrame, waitForRegions, waitForState } from './check.ts';

export const signIn: Check = {
  title: 'shows the report in a cross-origin frame after signing in',
  run: async (context) => {
    await openSignedIn(context);
    await waitForState(context, 'ready');
    expect(await waitForRegions(context)).toEqual(['North']);
    const isClosed = await context.tab.evaluate(
      (selector: string) => document.querySelector<HTMLIFrameElement>(selector)?.contentDocument === null,
      shownFrame,
    );
    expect(isClosed).toBe(true);
  },
};
