import type { ActionsContext } from './actionsContext.ts';

const longestPauseMs = 60_000;

/** Reports that no deliveries arrive: once, and again only after a delivery. */
export const createSilenceAlarm = ({ onDiagnostic, now }: ActionsContext, quietAfterMs: number) => {
  let lastAtMs: number | undefined;
  /** Start of the silence; Infinity once reported. */
  let sinceMs = now();
  const check = (): void => {
    const forMs = now() - sinceMs;
    if (forMs < quietAfterMs) return;
    sinceMs = Number.POSITIVE_INFINITY;
    onDiagnostic({ kind: 'quiet', lastAtMs, forMs });
  };
  const timer = setInterval(check, Math.min(longestPauseMs, Math.max(1, quietAfterMs / 4))).unref();
  return {
    delivered(): void {
      lastAtMs = now();
      sinceMs = lastAtMs;
    },
    stop: () => clearInterval(timer),
  };
};
