const share = Number(process.env['VITRINE_LONG'] ?? 0);
if (!(share >= 0))
  throw new Error('VITRINE_LONG is the share of a long run to do: 1, or 0.1 for a tenth of it.');

/** Whether the run is a long one: `npm run test:long`. */
export const isLong = share > 0;

/** How much of something a test does: a little in every run, the full amount in a long one, or `VITRINE_LONG` times that. */
export const sized = (everyRun: number, longRun: number): number =>
  isLong ? Math.ceil(longRun * share) : everyRun;
