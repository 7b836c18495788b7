import type { ActiveKey } from '../session/activeKey.ts';

/** One iframe with one key, for as long as it is in the list. */
export interface FrameEntry {
  /** Unlike any other frame's on the page and in its session history. */
  readonly id: string;
  readonly key: ActiveKey;
  /** When it was added, on the page's clock. */
  readonly openedAt: number;
  /** Whether somebody asked for it, so that it takes over as soon as it has loaded. */
  readonly isUrgent: boolean;
  readonly isLoaded: boolean;
  /** Whether the page's Content-Security-Policy blocks it. */
  readonly isBlocked: boolean;
}

/** The frames of a report: the current one and, while the report is renewed, the standby that replaces it. */
export type FrameList =
  | readonly []
  | readonly [current: FrameEntry]
  | readonly [current: FrameEntry, standby: FrameEntry];
