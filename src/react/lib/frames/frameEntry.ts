import type { ActiveKey } from '../session/activeKey.ts';
import type { FrameElement } from './frameElement.ts';

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
  /** Whether the report has loaded: never in a frame that is blocked. */
  readonly isLoaded: boolean;
  /** Whether the page's Content-Security-Policy blocks it. */
  readonly isBlocked: boolean;
}

/** The frames of a report: the current one and, while the report is renewed, the standby that replaces it. */
export type FrameList =
  | readonly []
  | readonly [current: FrameEntry]
  | readonly [current: FrameEntry, standby: FrameEntry];
