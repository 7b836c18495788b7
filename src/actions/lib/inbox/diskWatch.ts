import { statfs } from 'node:fs/promises';

/** Options of {@link createDiskWatch}. */
export interface DiskWatchOptions {
  /** A folder of the disk. */
  readonly folder: string;
  readonly minFreeBytes: number;
  /** Told when the free space falls below the limit; again only after it was above it. */
  readonly onLow: (freeBytes: number) => void;
}

/** Looks at the free space of a disk now and then. */
export interface DiskWatch {
  stop(): void;
}

const lookEveryMs = 60_000;

/** Starts the watch. A file system that does not say how full it is keeps it silent. */
export const createDiskWatch = ({ folder, minFreeBytes, onLow }: DiskWatchOptions): DiskWatch => {
  const state = { isLow: false, isStopped: false };
  const look = async (): Promise<void> => {
    try {
      const { bavail, bsize } = await statfs(folder);
      const wasLow = state.isLow;
      state.isLow = bavail * bsize < minFreeBytes;
      if (state.isLow && !wasLow && !state.isStopped) onLow(bavail * bsize);
    } catch {
      // Storing does not depend on it.
    }
  };
  void look();
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  return {
    stop() {
      state.isStopped = true;
      clearInterval(timer);
    },
  };
};
