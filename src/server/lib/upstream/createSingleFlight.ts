/** A call in flight that several callers may be waiting for. */
export interface Flight<TValue> {
  readonly promise: Promise<TValue>;
  /** Called once by each caller that stops waiting. The call is aborted when no callers are left. */
  leave(): void;
}

/** Lets equal, overlapping calls share one. Keeps nothing after it ends. */
export interface SingleFlight<TValue> {
  join(id: string, run: (signal: AbortSignal) => Promise<TValue>): Flight<TValue>;
  /** Resolves when every call in flight has ended. */
  settled(): Promise<void>;
}

/** Creates a {@link SingleFlight}. */
export const createSingleFlight = <TValue>(): SingleFlight<TValue> => {
  const flights = new Map<string, SharedFlight>();

  class SharedFlight implements Flight<TValue> {
    readonly promise: Promise<TValue>;
    readonly #id: string;
    readonly #stop = new AbortController();
    #callers = 0;

    constructor(id: string, run: (signal: AbortSignal) => Promise<TValue>) {
      this.#id = id;
      this.promise = run(this.#stop.signal);
      const end = () => this.#end();
      this.promise.then(end, end);
    }

    enter(): void {
      this.#callers += 1;
    }

    leave(): void {
      this.#callers -= 1;
      if (this.#callers > 0) return;
      // Nobody may join an aborted call: the next caller starts a new one.
      this.#end();
      this.#stop.abort();
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
    settled: async () => {
      await Promise.allSettled([...flights.values()].map(({ promise }) => promise));
    },
  };
};
