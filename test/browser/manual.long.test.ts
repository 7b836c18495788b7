import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildManual, type Manual } from '../support/buildManual.ts';
import { launchBrowser } from '../support/launchBrowser.ts';
import { complaintsOf } from './manualChecks.ts';
import { phone, screen, visitPages } from './visitPages.ts';

let browser: Browser;
let manual: Manual;
beforeAll(async () => {
  [browser, manual] = await Promise.all([launchBrowser(), buildManual()]);
}, 240_000);
afterAll(() => Promise.all([browser?.close(), manual?.close()]));

it.each([
  { theme: 'light', viewport: screen },
  { theme: 'light', viewport: phone },
  { theme: 'dark', viewport: screen },
  { theme: 'dark', viewport: phone },
] as const)(
  'has no accessibility violations on any page: $theme, $viewport.width pixels wide',
  async (look) => {
    expect(await visitPages({ browser, manual }, look, complaintsOf)).toEqual([]);
  },
);
