import type { BodyResult } from './actionReceiver.ts';

/** What reading a body within a time came to. */
export type TimedBodyResult = BodyResult | { readonly kind: 'slow' };

/** Waits so long for a body, in milliseconds. What comes after that is dropped with its connection. */
export const readInTime = (reading: Promise<BodyResult>, limitMs: number): Promise<TimedBodyResult> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve({ kind: 'slow' }), limitMs);
    reading.then(
      (body) => {
        clearTimeout(timer);
        resolve(body);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
