/** Whether the run is a long one: `npm run test:long`. */
export const isLong = process.env['VITRINE_LONG'] === '1';

/** How much of something a test does: a little in every run, the full amount in a long one. */
export const sized = (everyRun: number, longRun: number): number => (isLong ? longRun : everyRun);
