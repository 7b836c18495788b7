import fc from 'fast-check';
import { seed } from './seed.ts';

fc.configureGlobal({ seed });

/** fast-check, with the run's seed. */
export { fc };
