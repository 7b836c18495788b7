import type { Io } from '../io.ts';
import type { Output } from './createOutput.ts';

/** Progress of long work. Only shown on a terminal, and cleared at the end. */
export interface Progress {
  /** Updates the number done, and the total if known. */
  readonly update: (done: number, total?: number) => void;
  readonly stop: () => void;
}

const clearLine = '\r\u001b[K';
const drawEveryMs = 100;

/** Shows the number done and its share on stderr; nothing without a terminal. */
export const progressBar = ({ stderr }: Io, { isQuiet }: Output, title: string): Progress => {
  if (stderr.isTTY !== true || isQuiet) return { update: () => undefined, stop: () => undefined };
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update: (done, total) => {
      const now = performance.now();
      if (now - drawnAt < drawEveryMs && done !== total) return;
      drawnAt = now;
      const share = total === undefined ? '' : `${Math.floor((100 * done) / Math.max(total, 1))}% `;
      const line = `${title} ${share}${done}${total === undefined ? '' : `/${total}`}`;
      stderr.write(clearLine + line.slice(0, (stderr.columns || 80) - 1));
    },
    stop: () => {
      if (Number.isFinite(drawnAt)) stderr.write(clearLine);
    },
  };
};
