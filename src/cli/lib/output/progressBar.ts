import type { Io } from '../io.ts';
import type { Output } from './createOutput.ts';

const clearLine = '\r\u001b[K';
const drawEveryMs = 100;

/** Progress of long work on stderr: the number done and its share. Only on a terminal, and cleared at the end. */
export const progressBar = ({ stderr }: Io, { isQuiet }: Output, title: string) => {
  const isShown = stderr.isTTY === true && !isQuiet;
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    /** Updates the number done, and the total if known. */
    update: (done: number, total?: number): void => {
      const now = performance.now();
      if (!isShown || (now - drawnAt < drawEveryMs && done !== total)) return;
      drawnAt = now;
      const share = total === undefined ? '' : `${Math.floor((100 * done) / Math.max(total, 1))}% `;
      const line = `${title} ${share}${done}${total === undefined ? '' : `/${total}`}`;
      stderr.write(clearLine + line.slice(0, (stderr.columns || 80) - 1));
    },
    stop: (): void => {
      if (Number.isFinite(drawnAt)) stderr.write(clearLine);
    },
  };
};
