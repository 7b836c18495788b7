import type { Io } from '../io.ts';
import type { Output } from './createOutput.ts';

/** Progress of long work. Only shown on a terminal, and cleared at the end. */
export interface Progress {
  /** Updates the number done, and the total if known. */
  readonly update: (done: number, total?: number) => void;
  readonly stop: () => void;
}

const silent: Progress = { update: () => undefined, stop: () => undefined };
const clearLine = '\r\u001b[K';
const barCharacters = 24;
const drawEveryMs = 100;

/** Shows a progress bar with rate and time left on stderr; nothing without a terminal. */
export const progressBar = (io: Io, out: Output, title: string): Progress => {
  if (io.stderr.isTTY !== true || out.isQuiet) return silent;
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    update: (done, total) => {
      const now = performance.now();
      if (now - drawnAt < drawEveryMs && done !== total) return;
      drawnAt = now;
      const perSecond = done / Math.max(0.001, (now - startedAt) / 1000);
      const line = `${title} ${total === undefined ? count(done) : bar(done, total)} · ${rate(perSecond)}/s`;
      const secondsLeft = total === undefined ? 0 : (total - done) / perSecond;
      const left = secondsLeft > 0 && Number.isFinite(secondsLeft) ? ` · ${humanTime(secondsLeft)} left` : '';
      io.stderr.write(`${clearLine}${`${line}${left}`.slice(0, (io.stderr.columns || 80) - 1)}`);
    },
    stop: () => {
      if (Number.isFinite(drawnAt)) io.stderr.write(clearLine);
    },
  };
};

const count = (value: number): string => value.toLocaleString('en');

const rate = (perSecond: number): string =>
  perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond));

const bar = (done: number, total: number): string => {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  const drawn = '━'.repeat(Math.round(share * barCharacters)).padEnd(barCharacters);
  return `${drawn} ${Math.floor(share * 100)}% ${count(done)}/${count(total)}`;
};

/** Formats seconds for display. */
export const humanTime = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`;
};
