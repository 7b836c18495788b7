import { type EngineName, engineNames } from '../../support/engines/engine.ts';
import type { CheckId } from './checks/checks.ts';

/** A check that does not hold in some engines. */
export interface Exception {
  readonly check: CheckId;
  readonly engines: readonly EngineName[];
  /** `fault`: still to be fixed. `engine`: the engine does not offer it. */
  readonly kind: 'fault' | 'engine';
  /** Why, in a sentence for the manual. */
  readonly reason: string;
  /** What the failure says: any other one fails the run. */
  readonly message: RegExp;
}

/** Everything that does not hold. A check that starts to pass fails the run until its entry here is removed. */
export const exceptions: readonly Exception[] = [
  {
    check: 'frameBlocked',
    engines: ['chromium'],
    kind: 'fault',
    reason: 'Chromium fires `load` for its own error page, and `onLoad` is called for it.',
    message: /'onError frame_blocked', 'onLoad'/,
  },
  {
    check: 'concealKey',
    engines: ['webkit'],
    kind: 'fault',
    reason: 'WebKit lists the first navigation of the empty frame, with the key, in Resource Timing.',
    message: /'Resource Timing'/,
  },
  {
    check: 'backForwardCacheListening',
    engines: ['firefox'],
    kind: 'fault',
    reason: 'Firefox does not keep a page with an open stream of actions, and builds it anew.',
    message: /expected false to be true/,
  },
  {
    check: 'serverRenderedBack',
    engines: engineNames,
    kind: 'fault',
    reason:
      'The browser restores the frame’s former document from the history, although its address is a new one.',
    message: /the frame shows the key of its address/,
  },
  {
    check: 'activity',
    engines: engineNames,
    kind: 'fault',
    reason: 'The report loads anew, with another key.',
    message: /keys: 2/,
  },
  {
    check: 'activityEndedKey',
    engines: engineNames,
    kind: 'fault',
    reason: 'The report is in sight for a moment before it is covered.',
    message: /expected (\d+ to be \+0|'ready' not to be 'ready')/,
  },
  {
    check: 'activityPrerendered',
    engines: engineNames,
    kind: 'fault',
    reason: '`onLoad` is not called.',
    message: /expected \[\] to deeply equal/,
  },
  {
    check: 'forcedColors',
    engines: ['webkit'],
    kind: 'engine',
    reason: 'WebKit has no forced colours.',
    message: /the engine forces colours/,
  },
];

export const findException = (engine: EngineName, id: string): Exception | undefined =>
  exceptions.find(({ check, engines }) => check === id && engines.includes(engine));
