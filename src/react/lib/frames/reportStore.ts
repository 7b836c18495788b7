import type { KeySession } from '../session/keySession.ts';
import type { FrameList } from './frameEntry.ts';
import type { ReportOptions } from './reportOptions.ts';
import type { ReportSnapshot } from './reportState.ts';

/** The frames of one report, as a store for React. */
export interface ReportStore {
  readonly itemId: number;
  readonly session: KeySession;
  readonly getFrames: () => FrameList;
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => ReportSnapshot;
  /** The snapshot for server rendering and hydration: the frame, visible at once, if its key is known. */
  readonly getServerSnapshot: () => ReportSnapshot;
  /** Sets the options, and the function that re-renders before the paint. */
  readonly configure: (options: ReportOptions, redraw: () => void) => void;
  /** Call it after every commit. */
  readonly onCommit: () => void;
  /** Ref of the root element. */
  readonly root: { (element: HTMLDivElement | null): void; current: HTMLDivElement | null };
  /**
   * Shows the report with a new key, without blanking it. A key is requested at most every ten seconds, and `refresh` waits for
   * that. Resolves when the new frame is visible; rejects with an {@link EmbedError}.
   */
  readonly refresh: () => Promise<void>;
  /** Requests the report again, for a button that disappears with the error: keeps the keyboard focus. */
  readonly retry: () => void;
  /** Reloads the report with the current key, without blanking it. Calls while a frame loads are combined. */
  readonly reload: () => void;
}

/** Fixed properties of a store. */
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
