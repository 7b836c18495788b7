import type { ActiveKey } from '../session/activeKey.ts';
import type { FrameElement } from './frameElement.ts';

/** What has become of a frame. `blocked`, by the page's Content-Security-Policy, is final. */
export type FrameStatus = 'loading' | 'loaded' | 'blocked';

/** One iframe with one key, for as long as it is in the list. */
export interface FrameEntry {
  /** Unlike any other frame's on the page and in its session history. */
  readonly id: string;
  readonly key: ActiveKey;
  readonly element: FrameElement;
  /** When it was added, on the page's clock. */
  readonly openedAt: number;
  /** Whether somebody asked for it, so that it takes over as soon as it has loaded. */
  readonly isUrgent: boolean;
  readonly status: FrameStatus;
}

/** The frames of a report: the current one and, while the report is renewed, the standby that replaces it. */
export type FrameList = readonly FrameEntry[];
