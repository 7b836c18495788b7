import type { Clock } from './clock.ts';

/** Waits `delayMs`, or rejects as soon as the signal fires. */
export const sleep = (
  delayMs: number,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal | undefined },
): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', stop);
      resolve();
    });
    signal?.addEventListener('abort', stop, { once: true });
  });
