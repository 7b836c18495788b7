const share = Number(process.env['VITRINE_LONG'] ?? 0);
if (!(share >= 0))
  throw new Error('VITRINE_LONG is the share of a long run to do: 1, or 0.1 for a tenth of it.');

/** Whether the run is a long one: `npm run test:long`. */
export const isLong = share > 0;

/** The size of a test: small in every run, the full amount in a long one, or that amount times `VITRINE_LONG`. */
export const sized = (everyRun: number, longRun: number): number =>
  isLong ? Math.ceil(longRun * share) : everyRun;
