import { checks, createContext, runChecks, type Target } from '@vitrine/conformance';
import { expect, it, onTestFinished } from 'vitest';
import { sharedPortal } from '../support/sharedPortal.ts';
import { type Breakage, startBrokenService } from './startBrokenService.ts';

let runs = 0;

/** Runs the checks whose titles begin so. Each beginning must name one. Returns the outcomes by title. */
export const outcomesOf = async (target: Target, beginnings: readonly string[]) => {
  runs += 1;
  const chosen = beginnings.flatMap((beginning) => {
    const found = checks.filter(({ title }) => title.startsWith(beginning));
    expect(found, beginning).not.toEqual([]);
    return found;
  });
  const results = await runChecks(chosen, createContext(target, `control-${runs}`));
  return Object.fromEntries(results.map(({ title, finding }) => [title, finding.outcome]));
};

/** A service that breaks the interface in one way, and the checks that must detect it. */
interface BrokenService {
  readonly name: string;
  /** Beginnings of their titles. */
  readonly noticedBy: readonly string[];
  readonly breakage: Breakage;
}

/** Tests that the checks find what is broken, and nothing while it is not. */
export const detectsServicesThat = (services: readonly BrokenService[]): void => {
  const started = sharedPortal();
  it.each(services)('$name', async ({ noticedBy, breakage }) => {
    for (const [change, outcome] of [
      [{}, 'as expected'],
      [breakage, 'differs'],
    ] as const) {
      const { target, close } = await startBrokenService(started().target, change);
      onTestFinished(close);
      const outcomes = await outcomesOf(target, noticedBy);
      expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((title) => [title, outcome])));
    }
  });
};
