import type { StopSignal } from '@vitrine/portal-client';

/** A signal and the way to fire it. */
export interface Stop {
  readonly signal: StopSignal;
  readonly fire: () => void;
}

/** What an `AbortController` does, for one reason and at a twentieth of the price: every key request makes one. */
export const createStop = (): Stop => {
  let aborted = false;
  let listeners: (() => void)[] = [];
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener: (_type, listener) => {
        listeners.push(listener);
      },
      removeEventListener: (_type, listener) => {
        const at = listeners.indexOf(listener);
        if (at !== -1) listeners.splice(at, 1);
      },
    },
    fire: () => {
      if (aborted) return;
      aborted = true;
      const told = listeners;
      listeners = [];
      for (const listener of told) listener();
    },
  };
};

/** A signal that never fires. */
export const neverStop: StopSignal = {
  aborted: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};
