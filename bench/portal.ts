/**
 * The cost of the portal as a development server compared with alternatives. Services restart in every round, in a new order, on their own core.
 */

import { createBenchResults } from './lib/benchResults.ts';
import { packageVersion } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { canPin } from './lib/pinned.ts';
import { prepare } from './lib/prepare.ts';

prepare();
const { measureServices } = await import('./portal/measureServices.ts');
const options = readOptions();
const results = createBenchResults('bench:portal', options, {
  ...Object.fromEntries(
    ['@vitrine/portal', 'json-server', 'emulate'].map((name) => [name, packageVersion(name)]),
  ),
  pinning: canPin ? 'service on core 0, load on core 1' : 'none (taskset is missing): figures are rough',
});
await measureServices(options, results);
results.finish();
