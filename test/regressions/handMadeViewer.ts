import type { SimulatedViewer, SimulatedViewerOptions } from '../support/simulation/simulatedViewer.ts';

/** What a hand-written viewer does after a failure. Both variants have been shipped. */
export type Habit = 'gives up' | 'retries at once';

const latencyMs = 200;
const minuteMs = 60_000;
/** Added instead of subtracted. */
const marginMs = 30_000;
const serverEpoch = Date.UTC(2026, 0, 1);

/**
 * The control: a hand-written key session. It trusts the viewer's clock and one long timer, adds its margin with the
 * wrong sign, treats a network failure as a sign-out, reuses an old key, and cleans nothing up. The tests must detect
 * it.
 */
export const createHandMadeViewer = (
  { agenda, machine, answer }: Omit<SimulatedViewerOptions, 'random'>,
  habit: Habit,
): SimulatedViewer => {
  // Its clock is correct at the start, so that each test detects it by the fault in its title.
  machine.stepWall(serverEpoch - Date.now());
  const attempts: number[] = [];
  const keys: number[] = [];
  let shown: { from: number; until: number } | undefined;
  let isMounted = false;

  const ask = (): void => {
    const sentAt = agenda.now();
    attempts.push(sentAt);
    const result = answer();
    if (result.kind === 'hang') return;
    agenda.at(sentAt + latencyMs, () => {
      if (result.kind !== 'key' || !machine.isAwake()) {
        if (result.kind === 'unreachable') shown = undefined;
        if (habit === 'retries at once') setTimeout(ask, 1_000);
        return;
      }
      const livesMs = Number(result.lifetimeMs);
      keys.push(agenda.now());
      shown = { from: sentAt, until: sentAt + livesMs };
      const expiresAt = serverEpoch + sentAt + livesMs;
      const leftMs = expiresAt - Date.now();
      setTimeout(ask, habit === 'gives up' ? leftMs + marginMs : leftMs * 0.7);
    });
  };

  return {
    attempts,
    keys,
    shown: () => (isMounted ? shown : undefined),
    mount: () => {
      isMounted = true;
      if (shown === undefined) ask();
      addEventListener('visibilitychange', () => setTimeout(ask, minuteMs), true);
    },
    unmount: () => {
      isMounted = false;
    },
  };
};
