/**
 * The cost of a key, compared with routes that a host could write. All in one run, in rounds that
 * visit the designs in a new order each time; the server has its own core, the load generator and the portal share
 * another. Compare CPU per request, which is reproducible; requests per second are not.
 */

import { createBenchResults } from './lib/benchResults.ts';
import { packageVersion } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { canPin } from './lib/pinned.ts';
import { prepare } from './lib/prepare.ts';

prepare();
const { measureKeys } = await import('./server/measureKeys.ts');
const options = readOptions();
const packages = ['@vitrine/express', 'express'];
const results = createBenchResults('bench:server', options, {
  ...Object.fromEntries(packages.map((name) => [name, packageVersion(name)])),
  undici: packageVersion('undici', '@vitrine/portal-client'),
  pinning: canPin
    ? 'server on core 0, load and portal on core 1'
    : 'none (taskset is missing): figures are rough',
});
await measureKeys(options, results);
results.finish();
