import type { FrameEntry, FrameList } from './frameEntry.ts';

/** What can happen to the frames of a report. */
export type FramesEvent =
  /** A frame with another key, or with the same one once more, starts to load. */
  | { readonly type: 'opened'; readonly frame: FrameEntry }
  | { readonly type: 'loaded'; readonly id: string }
  /** The host moved the frame in its page, so that the browser emptied it. */
  | { readonly type: 'emptied'; readonly id: string }
  /** The page's policy blocked frames of an origin. */
  | { readonly type: 'blocked'; readonly isAffected: (src: string) => boolean }
  /** The standby takes the place of the current frame. */
  | { readonly type: 'promoted' }
  /** The viewer may not see the report any more. */
  | { readonly type: 'removed' };

/** `map` keeps the number of elements, which its type does not say. */
const mapFrames = (frames: FrameList, change: (frame: FrameEntry) => FrameEntry): FrameList => {
  const next = frames.map(change);
  return next.some((frame, index) => frame !== frames[index]) ? (next as unknown as FrameList) : frames;
};

/** Returns the frames after an event: the same list when nothing changes. */
export const reduceFrames = (frames: FrameList, event: FramesEvent): FrameList => {
  const [current, standby] = frames;
  switch (event.type) {
    case 'opened':
      // A standby that has not taken over by the time of the next key may never load.
      return current ? [current, event.frame] : [event.frame];
    case 'loaded':
    case 'emptied': {
      const isLoaded = event.type === 'loaded';
      return mapFrames(frames, (frame) =>
        frame.id === event.id && !frame.isBlocked && frame.isLoaded !== isLoaded
          ? { ...frame, isLoaded }
          : frame,
      );
    }
    case 'blocked':
      return mapFrames(frames, (frame) =>
        !frame.isBlocked && event.isAffected(frame.key.src)
          ? { ...frame, isBlocked: true, isLoaded: false }
          : frame,
      );
    case 'promoted':
      return standby ? [standby] : frames;
    case 'removed':
      return current ? [] : frames;
  }
};
