import { seededRandom } from '../seed/seededRandom.ts';
import { validate } from '../service/validate.ts';
import { type Fault, type FaultEffect, faultSchema } from './faultSchema.ts';

/** A fault that is in force. */
export interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  /** Requests or webhooks it applied to, fired or not. */
  readonly matches: number;
  readonly fired: number;
}

/** What faults are matched by. */
export interface FaultOccasion {
  readonly kind: 'request' | 'webhook';
  readonly method: string;
  readonly path: string;
  readonly tenancyName: string | undefined;
}

/** The faults of a portal: what shall go wrong, and when. */
export interface PortalFaults {
  /** Puts a fault in force and returns its number. Throws when it is not well formed. */
  add(fault: Fault): number;
  /** Takes a fault back. */
  remove(id: number): void;
  /** Takes all back, or all of one tenant. */
  clear(tenancyName?: string): void;
  /** What is in force, with how often it fired. */
  list(): readonly ActiveFault[];
}

/** The faults as the portal itself uses them. */
export interface FaultBook extends PortalFaults {
  /** Effects that befall this occasion, in the order they were added. Counts matches. */
  effectsOn(occasion: FaultOccasion): readonly FaultEffect[];
  /** Whether any fault needs to know the tenant of a request. */
  namesTenants(): boolean;
}

const isWebhookEffect = (effect: FaultEffect) => effect.kind.startsWith('webhook');

const matchesPath = (pattern: string, path: string) =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;

const matches = (fault: Fault, occasion: FaultOccasion): boolean =>
  isWebhookEffect(fault.effect) === (occasion.kind === 'webhook') &&
  (fault.method === undefined || fault.method === occasion.method) &&
  (fault.path === undefined || matchesPath(fault.path, occasion.path)) &&
  (fault.tenancyName === undefined || fault.tenancyName === occasion.tenancyName);

/** Makes the book of faults; the same seed and the same requests give the same faults. */
export const createFaults = (seed = 1): FaultBook => {
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
    namesTenants: () => entries.some((entry) => entry.fault.tenancyName !== undefined),
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
