import type { Breakage } from './startBrokenService.ts';

/** A service that breaks the interface in one way, and the checks that must detect it. */
export interface Mutant {
  readonly name: string;
  /** Prefixes of titles. */
  readonly noticedBy: readonly string[];
  readonly breakage: Breakage;
}
