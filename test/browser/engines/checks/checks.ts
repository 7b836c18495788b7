import type { ReaderSettings } from '../../../support/engines/engine.ts';
import { activity, activityEndedKey, activityPrerendered } from './activity.ts';
import {
  backAndForward,
  backForwardCache,
  backForwardCacheListening,
  leaveAndComeBack,
  serverRenderedBack,
} from './backAndForward.ts';
import type { Check } from './check.ts';
import { colorScheme } from './colorScheme.ts';
import { concealKey, openKey } from './concealKey.ts';
import { consentManager } from './consentManager.ts';
import { errorAndRetry } from './errorAndRetry.ts';
import { focusAndScroll } from './focusAndScroll.ts';
import { frameBlocked } from './frameBlocked.ts';
import { hiddenTab } from './hiddenTab.ts';
import { isolatedPage, isolatedPageOptedIn } from './isolatedPage.ts';
import { lazy } from './lazy.ts';
import { forcedColors, reducedMotion, zoomed } from './readerSettings.ts';
import { renewal } from './renewal.ts';
import { keyboardSelection, pointerSelection } from './selection.ts';
import { signIn } from './signIn.ts';
import { workInside } from './workInside.ts';

/** Checks with default browser settings. */
export const checks = {
  signIn,
  workInside,
  colorScheme,
  renewal,
  errorAndRetry,
  openKey,
  frameBlocked,
  isolatedPage,
  isolatedPageOptedIn,
  lazy,
  concealKey,
  focusAndScroll,
  consentManager,
  hiddenTab,
  pointerSelection,
  keyboardSelection,
  backAndForward,
  leaveAndComeBack,
  backForwardCache,
  backForwardCacheListening,
  serverRenderedBack,
  activity,
  activityEndedKey,
  activityPrerendered,
} satisfies Record<string, Check>;

/** Checks with {@link readerSettings}. */
export const settingsChecks = { forcedColors, zoomed, reducedMotion } satisfies Record<string, Check>;

/** All reader settings at once, so that a browser starts once for them. */
export const readerSettings: ReaderSettings = { reducedMotion: true, forcedColors: true, zoom: 2 };

export type CheckId = keyof typeof checks | keyof typeof settingsChecks;
