import type { FrameList } from './frameEntry.ts';

/** When time alone changes next what becomes of the frames. */
export const findDeadline = (frames: FrameList, now: number, loadTimeoutMs: number): number => {
  const deadlines = frames.flatMap(({ key, openedAt }) => [
    openedAt + loadTimeoutMs,
    key.refreshAt,
    key.expiresAt,
  ]);
  return Math.min(...deadlines.filter((deadline) => deadline > now));
};
