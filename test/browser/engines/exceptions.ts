import type { EngineName } from '../../support/engines/engine.ts';
import type { CheckId } from './checks/checks.ts';

/** A check that fails in some engines. */
export interface Exception {
  readonly check: CheckId;
  readonly engines: readonly EngineName[];
  /** `fault`: to be fixed. `engine`: the engine does not support it. */
  readonly kind: 'fault' | 'engine';
  /** The reason, in a sentence for the manual. */
  readonly reason: string;
  /** The error message: any other one fails the run. */
  readonly message: RegExp;
}

/** Every check that fails. A check that starts to pass fails the run until its entry here is removed. */
export const exceptions: readonly Exception[] = [
  {
    check: 'backForwardCacheListening',
    engines: ['firefox'],
    kind: 'fault',
    reason: 'Firefox does not cache a page with an open action stream, and loads it again.',
    message: /expected false to be true/,
  },
  {
    check: 'forcedColors',
    engines: ['webkit'],
    kind: 'engine',
    reason: 'WebKit does not support forced colors.',
    message: /the engine forces colors/,
  },
  {
    check: 'isolatedPage',
    engines: ['firefox', 'webkit'],
    kind: 'engine',
    reason:
      'Firefox and WebKit do not support `credentialless` frames. The component reports `frame_slow` unless the portal opts in.',
    message: /no frames without credentials: frame_slow/,
  },
  {
    check: 'workInside',
    engines: ['webkit'],
    kind: 'engine',
    reason:
      'WebKitGTK fires no event when a click moves the focus into a frame; the page is told when the component looks next, within 30 seconds.',
    message: /expected \[ '' \] to deeply equal/,
  },
  {
    check: 'colorScheme',
    engines: ['webkit'],
    kind: 'engine',
    reason: 'WebKitGTK does not pass the color scheme of the host on to a frame of another origin.',
    message: /"isDark":false/,
  },
];

export const findException = (engine: EngineName, id: string): Exception | undefined =>
  exceptions.find(({ check, engines }) => check === id && engines.includes(engine));
