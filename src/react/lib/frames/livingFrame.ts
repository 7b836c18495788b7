import type { HeldKey } from '../life/keyKeeper.ts';
import type { ReportFrame } from './reportState.ts';

/** One iframe with one key, from its first moment to its last. */
export interface LivingFrame extends ReportFrame {
  readonly held: HeldKey;
  /** From here on a frame that has not loaded is slow, on the keeper's clock. */
  readonly slowAt: number;
  element?: HTMLIFrameElement;
  isLoaded?: boolean;
}
