import type { Spoiler } from './spoiledService.ts';

/** A service that breaks the interface in one way, and the checks that must notice. */
export interface Mutant {
  readonly name: string;
  /** Beginnings of titles. */
  readonly noticedBy: readonly string[];
  readonly spoiler: Spoiler;
}
