import type { ActionsContext } from './actionsContext.ts';

const longestPauseMs = 60_000;

/** Reports that nothing arrives any more: once, and again only after a delivery. */
export const createSilenceAlarm = ({ onDiagnostic, now }: ActionsContext, quietAfterMs: number) => {
  const startedAtMs = now();
  let lastAtMs: number | undefined;
  let hasReported = false;
  const check = (): void => {
    const forMs = now() - (lastAtMs ?? startedAtMs);
    if (hasReported || forMs < quietAfterMs) return;
    hasReported = true;
    onDiagnostic({ kind: 'quiet', lastAtMs, forMs });
  };
  const timer = setInterval(check, Math.min(longestPauseMs, Math.max(1, quietAfterMs / 4))).unref();
  return {
    delivered(): void {
      lastAtMs = now();
      hasReported = false;
    },
    stop: () => clearInterval(timer),
  };
};
