import { isLong } from './size.ts';

/**
 * The seed of every random test: `VITRINE_SEED` if set, to reproduce a failed run; a new one for each long run, which
 * explores; the same one for all other runs, so that they give the same result everywhere.
 */
export const seed: number = Number(
  process.env['VITRINE_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_120),
);
