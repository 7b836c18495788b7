import { createRequire } from 'node:module';

/** The version of this program, as its package says. */
export const readVersion = (): string => {
  // The package is ours and has a version: npm publishes none without.
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return version;
};
