import { isLong } from './size.ts';

/**
 * What every random test starts from: `VITRINE_SEED` if set, so that a failed run can be repeated; a new one for each
 * long run, which is there to explore; the same one for all others, so that what passed here passes elsewhere.
 */
export const seed: number = Number(
  process.env['VITRINE_SEED'] ?? (isLong ? Date.now() % 2 ** 31 : 20_261_120),
);
