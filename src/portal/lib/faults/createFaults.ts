import { matchesPath } from '../logs/createLog.ts';
import { seededRandom } from '../seededRandom.ts';
import { validate } from '../service/validate.ts';
import type { Fault, FaultEffect } from './fault.ts';
import { faultSchema } from './faultSchema.ts';

/** An active fault. */
export interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  /** Number of matching requests or webhooks, whether it fired or not. */
  readonly matches: number;
  readonly fired: number;
}

/** The properties that faults match. */
export interface FaultOccasion {
  readonly kind: 'request' | 'webhook';
  readonly method: string;
  readonly path: string;
  readonly tenancyName: string | undefined;
}

/** The injected faults of a portal. */
export interface PortalFaults {
  /** Adds a fault and returns its number. Throws if it is not valid. */
  add(fault: Fault): number;
  /** Removes a fault. */
  remove(id: number): void;
  /** Removes all faults, or all of one tenant. */
  clear(tenancyName?: string): void;
  /** The active faults, with how often they fired. */
  list(): readonly ActiveFault[];
}

/** The portal's internal view of the faults. */
export interface FaultRegistry extends PortalFaults {
  /** Effects for a request or webhook, in the order they were added. Counts matches. */
  effectsOn(occasion: FaultOccasion): readonly FaultEffect[];
}

const matches = (fault: Fault, occasion: FaultOccasion): boolean =>
  fault.effect.kind.startsWith('webhook') === (occasion.kind === 'webhook') &&
  (fault.method === undefined || fault.method === occasion.method) &&
  (fault.path === undefined || matchesPath(fault.path, occasion.path)) &&
  (fault.tenancyName === undefined || fault.tenancyName === occasion.tenancyName);

/** Creates the faults; the same seed and requests give the same effects. */
export const createFaults = (seed = 1): FaultRegistry => {
  let random = seededRandom(seed);
  let lastId = 0;
  let entries: { id: number; fault: Fault; matches: number; fired: number }[] = [];

  const fires = (entry: (typeof entries)[number]): boolean => {
    const { nth, times, probability } = entry.fault;
    if (nth !== undefined && !nth.includes(entry.matches)) return false;
    if (times !== undefined && entry.fired >= times) return false;
    return probability === undefined || random() < probability;
  };

  return {
    add: (fault) => {
      const parsed = validate(faultSchema, fault);
      lastId += 1;
      entries.push({ id: lastId, fault: parsed, matches: 0, fired: 0 });
      return lastId;
    },
    remove: (id) => {
      entries = entries.filter((entry) => entry.id !== id);
    },
    clear: (tenancyName) => {
      entries =
        tenancyName === undefined ? [] : entries.filter((entry) => entry.fault.tenancyName !== tenancyName);
      if (tenancyName === undefined) random = seededRandom(seed);
    },
    list: () => entries.map((entry) => ({ ...entry })),
    effectsOn: (occasion) =>
      entries.flatMap((entry) => {
        if (!matches(entry.fault, occasion)) return [];
        entry.matches += 1;
        if (!fires(entry)) return [];
        entry.fired += 1;
        return [entry.fault.effect];
      }),
  };
};
