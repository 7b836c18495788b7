import type { ReportNews } from './news.ts';

/** Options of {@link createSilenceAlarm}. */
export interface SilenceAlarmOptions {
  readonly quietAfterMs: number;
  readonly report: ReportNews;
  readonly now: () => number;
}

/** Notices that nothing arrives any more. */
export interface SilenceAlarm {
  heard(): void;
  stop(): void;
}

const longestLookMs = 60_000;

/** Starts listening for silence. It is told once, and again only after something was heard. */
export const createSilenceAlarm = ({ quietAfterMs, report, now }: SilenceAlarmOptions): SilenceAlarm => {
  const startedAtMs = now();
  let lastAtMs: number | undefined;
  let hasTold = false;
  const look = (): void => {
    const forMs = now() - (lastAtMs ?? startedAtMs);
    if (hasTold || forMs < quietAfterMs) return;
    hasTold = true;
    report({ kind: 'quiet', lastAtMs, forMs });
  };
  const timer = setInterval(look, Math.min(longestLookMs, Math.max(1, quietAfterMs / 4)));
  timer.unref();
  return {
    heard() {
      lastAtMs = now();
      hasTold = false;
    },
    stop: () => clearInterval(timer),
  };
};
