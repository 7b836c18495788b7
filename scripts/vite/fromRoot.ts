import { fileURLToPath } from 'node:url';

/** Resolves a path relative to the root of the repository. */
export const fromRoot = (relative: string): string =>
  fileURLToPath(new URL(`../../${relative}`, import.meta.url));
