import { createRequire } from 'node:module';

/** The version of this program, from its package. */
export const readVersion = (): string => {
  // Our package has a version: npm requires it.
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return version;
};
