import { browserEnvironment } from '../life/browserEnvironment.ts';
import type { Environment } from '../life/environment.ts';

/** The browser, with a clock that can be moved on and a network that can be taken away. */
export interface FakeEnvironment extends Environment {
  readonly advance: (ms: number) => void;
  readonly setOnline: (isOnline: boolean) => void;
  readonly emit: (type: string, more?: object) => void;
}

/** Creates a {@link FakeEnvironment}. */
export const createFakeEnvironment = (): FakeEnvironment => {
  const listeners = new Set<readonly [type: string, listener: (event: Event) => void]>();
  let aheadMs = 0;
  let isOnline = true;
  const emit = (type: string, more: object = {}) => {
    for (const [wanted, listener] of listeners)
      if (wanted === type) listener(Object.assign(new Event(type), more));
  };
  return {
    ...browserEnvironment,
    monotonicNow: () => browserEnvironment.monotonicNow() + aheadMs,
    wallNow: () => browserEnvironment.wallNow() + aheadMs,
    random: () => 0.5,
    listen: (type, listener) => {
      const entry = [type, listener] as const;
      listeners.add(entry);
      const stop = browserEnvironment.listen(type, listener);
      return () => {
        listeners.delete(entry);
        stop();
      };
    },
    isOnline: () => isOnline,
    advance: (ms) => {
      aheadMs += ms;
      emit('focus');
    },
    setOnline: (value) => {
      isOnline = value;
      if (value) emit('online');
    },
    emit,
  };
};
