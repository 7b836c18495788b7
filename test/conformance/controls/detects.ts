import { type Check, checks, createContext, runChecks, type Target } from '@vitrine/conformance';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { sharedPortal } from '../support/sharedPortal.ts';
import { type Breakage, startBrokenService } from './startBrokenService.ts';

/** The checks whose titles begin so. Each beginning must name one. */
export const checksOf = (beginnings: readonly string[]): readonly Check[] =>
  beginnings.flatMap((beginning) => {
    const found = checks.filter(({ title }) => title.startsWith(beginning));
    if (found.length === 0) throw new Error(`No check has a title that begins with ${beginning}.`);
    return found;
  });

let runs = 0;

/** The titles of the checks that have another outcome in a service. */
export const otherThan = async (
  outcome: 'as expected' | 'differs',
  target: Target,
  chosen: readonly Check[],
): Promise<readonly string[]> => {
  runs += 1;
  const results = await runChecks(chosen, createContext(target, `control-${runs}`));
  return results.filter(({ finding }) => finding.outcome !== outcome).map(({ title }) => title);
};

/** A service that breaks the interface in one way, and the checks that must detect it. */
interface BrokenService {
  readonly name: string;
  /** Beginnings of their titles. */
  readonly noticedBy: readonly string[];
  readonly breakage: Breakage;
}

/** Tests that the checks find what is broken, and nothing while it is not. `prepare` prepares the portal for them. */
export const detectsServicesThat = (
  services: readonly BrokenService[],
  prepare?: (target: Target) => Promise<void>,
): void => {
  const started = sharedPortal();
  beforeAll(() => prepare?.(started().target));
  /** Checks that found nothing in a service that is not broken. */
  const fair = new Set<Check>();
  it.each(services)('$name', async ({ noticedBy, breakage }) => {
    const chosen = checksOf(noticedBy);
    const serviceWith = async (change: Breakage) => {
      const { target, close } = await startBrokenService(started().target, change);
      onTestFinished(close);
      return target;
    };
    const unproven = chosen.filter((check) => !fair.has(check));
    expect(await otherThan('as expected', await serviceWith({}), unproven)).toEqual([]);
    for (const check of unproven) fair.add(check);
    expect(await otherThan('differs', await serviceWith(breakage), chosen)).toEqual([]);
  });
};
