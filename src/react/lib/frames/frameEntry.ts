import type { ActiveKey } from '../session/activeKey.ts';
import type { FrameElement } from './frameElement.ts';

/** Status of a frame. `blocked`, by the page's Content-Security-Policy, is final. */
export type FrameStatus = 'loading' | 'loaded' | 'blocked';

/** One iframe with one key, for as long as it is in the list. */
export interface FrameEntry {
  /** Unique on the page and in its session history. */
  readonly id: string;
  readonly key: ActiveKey;
  readonly element: FrameElement;
  /** When it was added, on the page's clock. */
  readonly openedAt: number;
  /** Whether it was requested explicitly, so that it takes over as soon as it has loaded. */
  readonly isUrgent: boolean;
  readonly status: FrameStatus;
}

/** The frames of a report: the current one and, while the report is renewed, the standby that replaces it. */
export type FrameList = readonly FrameEntry[];
