import type { StopSignal } from '@vitrine/portal-client';
import { createStop, type Stop } from './createStop.ts';

/** One caller's share of work that others may be waiting for too. */
export interface FlightTicket<TValue> {
  readonly promise: Promise<TValue>;
  /** Says that this caller no longer waits. The work is aborted when the last one says so. */
  leave(): void;
}

/** Lets equal calls that overlap share one run. Nothing is kept once the run has ended, however it ended. */
export interface SingleFlight<TValue> {
  join(id: string, run: (signal: StopSignal) => Promise<TValue>): FlightTicket<TValue>;
  readonly size: number;
}

interface Flight<TValue> {
  readonly promise: Promise<TValue>;
  readonly stop: Stop;
  waiting: number;
}

/** Makes a {@link SingleFlight}. */
export const createSingleFlight = <TValue>(): SingleFlight<TValue> => {
  const flights = new Map<string, Flight<TValue>>();

  const start = (id: string, run: (signal: StopSignal) => Promise<TValue>): Flight<TValue> => {
    const stop = createStop();
    const flight: Flight<TValue> = { promise: run(stop.signal), stop, waiting: 0 };
    flights.set(id, flight);
    const end = () => {
      if (flights.get(id) === flight) flights.delete(id);
    };
    flight.promise.then(end, end);
    return flight;
  };

  return {
    join: (id, run) => {
      const flight = flights.get(id) ?? start(id, run);
      flight.waiting += 1;
      let isWaiting = true;
      return {
        promise: flight.promise,
        leave: () => {
          if (!isWaiting) return;
          isWaiting = false;
          flight.waiting -= 1;
          if (flight.waiting > 0) return;
          // From here on nobody may join: whoever comes now deserves a run of its own.
          if (flights.get(id) === flight) flights.delete(id);
          flight.stop.fire();
        },
      };
    },
    get size() {
      return flights.size;
    },
  };
};
