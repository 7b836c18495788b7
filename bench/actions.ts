/** The cost of losing no action: clicks with 500,000 stored ones and a burst of them. */
import { measureClicks } from './actions/measureClicks.ts';
import { createBenchResults } from './lib/benchResults.ts';
import { packageVersion } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { canPin } from './lib/pinned.ts';
import { prepare } from './lib/prepare.ts';

prepare();
const options = readOptions();
const results = createBenchResults('bench:actions', options, {
  '@vitrine/server': packageVersion('@vitrine/server'),
  express: packageVersion('express'),
  pinning: canPin ? 'server on core 0, load on core 1' : 'none (taskset is missing): figures are rough',
});
await measureClicks(options, results);
results.finish();
