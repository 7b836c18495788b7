import { join } from 'node:path';
import { buildWhenStale } from '../../scripts/buildWhenStale.ts';
import { installOnce } from '../../scripts/installOnce.ts';

/** Everything a bench script needs before it measures: what Vitrine is measured beside, and the packages that users get. */
export const prepare = (): void => {
  installOnce(join(import.meta.dirname, '..'), 'what we are measured beside (bench/node_modules)');
  buildWhenStale();
};
