import type { KeySession } from '../session/keySession.ts';
import type { FrameList } from './frameEntry.ts';
import type { ReportOptions } from './reportOptions.ts';
import type { ReportSnapshot } from './reportState.ts';

/** The frames of one report on a page, as a store that React draws. */
export interface ReportStore {
  readonly itemId: number;
  readonly session: KeySession;
  readonly getFrames: () => FrameList;
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => ReportSnapshot;
  /** What a server renders and a browser hydrates: the frame, visible at once, if its key came along. */
  readonly getServerSnapshot: () => ReportSnapshot;
  /** Sets the options, and how to draw before the page is painted. */
  readonly configure: (options: ReportOptions, redraw: () => void) => void;
  /** To be called after every commit. */
  readonly onCommit: () => void;
  /** Ref of the outermost element. */
  readonly root: { (element: HTMLDivElement | null): void; current: HTMLDivElement | null };
  /**
   * Shows the report with a new key, without blanking it. A key is requested at most every ten seconds, and `refresh` waits for
   * that. Resolves when the new frame is visible; rejects with an {@link EmbedError}.
   */
  readonly refresh: () => Promise<void>;
  /** Asks for the report again, for a button that goes away with the error: the keyboard's place in the page stays. */
  readonly retry: () => void;
  /** Loads the report again with the key at hand, without blanking it. Calls while a frame loads become one. */
  readonly reload: () => void;
}

/** What does not change during the life of a store. */
export interface ReportStoreSetup {
  readonly itemId: number;
  /** Prefix of the frames' names: unique on the page, and the same on the server. */
  readonly name: string;
  readonly isEnabled: boolean;
  /** Keeps the key out of the document. */
  readonly isConcealed: boolean;
  /** Waits until the report is near the viewport. */
  readonly isLazy: boolean;
}
