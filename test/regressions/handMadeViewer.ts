import type { SimulatedViewer, SimulatedViewerOptions } from '../support/simulation/simulatedViewer.ts';

/** What a hand-made viewer does after a failure. Both have been shipped. */
export type Habit = 'gives up' | 'retries at once';

const latencyMs = 200;
const minuteMs = 60_000;
/** Added where it should have been taken off. */
const marginMs = 30_000;
const serverEpoch = Date.UTC(2026, 0, 1);

/**
 * The control: the life of a key as it is written by hand. It believes the viewer's clock, trusts one long timer, adds its
 * margin with the wrong sign, takes a lost network for a sign-out, shows a key again that was shown before, and cleans
 * nothing up. The checks must catch it.
 */
export const createHandMadeViewer = (
  { agenda, machine, answer }: Omit<SimulatedViewerOptions, 'random'>,
  habit: Habit,
): Omit<SimulatedViewer, 'store'> => {
  const { environment } = machine;
  // Its clock is right to begin with, so that each check catches it by the fault that the check names.
  machine.stepWall(serverEpoch - environment.Date.now());
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
        if (habit === 'retries at once') environment.setTimeout(ask, 1_000);
        return;
      }
      const livesMs = Number(result.lifetimeMs);
      keys.push(agenda.now());
      shown = { from: sentAt, until: sentAt + livesMs };
      const expiresAt = serverEpoch + sentAt + livesMs;
      const leftMs = expiresAt - environment.Date.now();
      environment.setTimeout(ask, habit === 'gives up' ? leftMs + marginMs : leftMs * 0.7);
    });
  };

  return {
    attempts,
    keys,
    shown: () => (isMounted ? shown : undefined),
    mount: () => {
      isMounted = true;
      if (shown === undefined) ask();
      environment.addEventListener('visibilitychange', () => environment.setTimeout(ask, minuteMs), true);
    },
    unmount: () => {
      isMounted = false;
    },
  };
};
