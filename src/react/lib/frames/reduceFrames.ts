import type { FrameEntry, FrameList, FrameStatus } from './frameEntry.ts';

/** Events of a report's frames. */
export type FramesEvent =
  /** A frame with a new key, or again with the same key, starts to load. */
  | { readonly type: 'opened'; readonly frame: FrameEntry }
  /** A frame has loaded, was blocked, or was emptied by the browser because the host moved it in its page. */
  | { readonly type: 'changed'; readonly id: string; readonly status: FrameStatus }
  /** The standby takes the place of the current frame. */
  | { readonly type: 'promoted' }
  /** The viewer may no longer see the report. */
  | { readonly type: 'removed' };

/** Returns the frames after an event. A frame that has not changed stays the same object. */
export const reduceFrames = (frames: FrameList, event: FramesEvent): FrameList => {
  switch (event.type) {
    case 'opened':
      // A standby that is still waiting when the next key arrives may never load.
      return [...frames.slice(0, 1), event.frame];
    case 'changed':
      return frames.map((frame) =>
        frame.id === event.id && frame.status !== event.status && frame.status !== 'blocked'
          ? { ...frame, status: event.status }
          : frame,
      );
    case 'promoted':
      return frames.slice(-1);
    case 'removed':
      return [];
  }
};
