import type { StopSignal } from '@vitrine/portal-client';
import { createChurnMap } from './createChurnMap.ts';
import { Stop } from './stop.ts';

/** Work that is under way, and that several callers may be waiting for. */
export interface Flight<TValue> {
  readonly promise: Promise<TValue>;
  /** Said by a caller, once, that no longer waits. The work is aborted when the last one says so. */
  leave(): void;
}

/** Lets equal calls that overlap share one run. Nothing is kept once the run has ended, however it ended. */
export interface SingleFlight<TValue> {
  join(id: string, run: (signal: StopSignal) => Promise<TValue>): Flight<TValue>;
  readonly size: number;
}

/** Makes a {@link SingleFlight}. */
export const createSingleFlight = <TValue>(): SingleFlight<TValue> => {
  const flights = createChurnMap<SharedFlight>();

  class SharedFlight implements Flight<TValue> {
    readonly promise: Promise<TValue>;
    readonly #id: string;
    readonly #stop = new Stop();
    #waiting = 0;

    constructor(id: string, run: (signal: StopSignal) => Promise<TValue>) {
      this.#id = id;
      this.promise = run(this.#stop);
      const end = () => this.#end();
      this.promise.then(end, end);
    }

    enter(): void {
      this.#waiting += 1;
    }

    leave(): void {
      this.#waiting -= 1;
      if (this.#waiting > 0) return;
      // From here on nobody may join: whoever comes now deserves a run of its own.
      this.#end();
      this.#stop.fire();
    }

    #end(): void {
      if (flights.get(this.#id) === this) flights.delete(this.#id);
    }
  }

  return {
    join: (id, run) => {
      let flight = flights.get(id);
      if (flight === undefined) {
        flight = new SharedFlight(id, run);
        flights.set(id, flight);
      }
      flight.enter();
      return flight;
    },
    get size() {
      return flights.size;
    },
  };
};
