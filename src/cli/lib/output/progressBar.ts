import { Presets, SingleBar } from 'cli-progress';
import type { Io } from '../io.ts';
import type { Output } from './createOutput.ts';

/** Progress of long work. Shown on a terminal alone, and gone from it when the work is over. */
export interface Progress {
  /** How many are done, of how many when that is known. */
  readonly update: (done: number, total?: number) => void;
  readonly stop: () => void;
}

const silent: Progress = { update: () => undefined, stop: () => undefined };

/** A bar with rate and time left on stderr; nothing where nobody looks. */
export const progressBar = (io: Io, out: Output, title: string): Progress => {
  if (io.stderr.isTTY !== true || out.isQuiet) return silent;
  const startedAt = performance.now();
  let lastDrawn = 0;
  const bar = new SingleBar(
    {
      stream: io.stderr,
      clearOnComplete: true,
      hideCursor: true,
      barsize: 24,
      fps: 10,
      etaBuffer: 200,
      format: (options, params, payload) => {
        const share = params.total > 0 ? params.value / params.total : 0;
        const size = options.barsize ?? 24;
        const filled = Math.round(share * size);
        const drawn = '━'.repeat(filled) + ' '.repeat(size - filled);
        const counts = `${params.value.toLocaleString('en')}/${params.total.toLocaleString('en')}`;
        const left = share >= 1 || !Number.isFinite(params.eta) ? '' : ` · ${humanTime(params.eta)} left`;
        return `${title} ${drawn} ${Math.floor(share * 100)} % ${counts}${ratePart(payload)}${left}`;
      },
    },
    Presets.legacy,
  );
  let isStarted = false;
  return {
    update: (done, total) => {
      const now = performance.now();
      const rate = done / Math.max(0.001, (now - startedAt) / 1000);
      if (total === undefined) {
        // Without a total there is no bar to draw, only a count that moves.
        if (now - lastDrawn < 100) return;
        lastDrawn = now;
        io.stderr.write(
          `\r\u001b[K${title} ${done.toLocaleString('en')} · ${Math.round(rate).toLocaleString('en')}/s`,
        );
        return;
      }
      if (!isStarted) {
        isStarted = true;
        io.stderr.write('\r\u001b[K');
        bar.start(total, done, { rate });
      } else {
        bar.setTotal(total);
        bar.update(done, { rate });
      }
    },
    stop: () => {
      if (isStarted) bar.stop();
      else if (lastDrawn > 0) io.stderr.write('\r\u001b[K');
    },
  };
};

const ratePart = (payload: unknown): string => {
  const rate =
    typeof payload === 'object' && payload !== null && 'rate' in payload ? Number(payload.rate) : Number.NaN;
  return Number.isFinite(rate)
    ? ` · ${rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')}/s`
    : '';
};

/** Seconds as people say them. */
export const humanTime = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`;
};
