import { fileURLToPath } from 'node:url';

/** The absolute path of a file that is named relative to the root of the repository. */
export const fromRoot = (relative: string): string =>
  fileURLToPath(new URL(`../../${relative}`, import.meta.url));
