import { createRequire } from 'node:module';

const here = import.meta.url;
/** The build has its files in one folder. */
const manifest = here.endsWith('.ts') ? '../../package.json' : '../package.json';

/** The version of this program, from its package. */
export const readVersion = (): string => {
  // Our package has a version: npm requires it.
  const { version } = createRequire(here)(manifest) as { version: string };
  return version;
};
