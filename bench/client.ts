/**
 * The cost of a call of the administration client over its bare HTTP client, compared with the clients of two
 * well-known services, and the cost of importing each. All in one run, interleaved.
 */

import { measureCalls } from './client/measureCalls.ts';
import { measureImport } from './client/measureImport.ts';
import { createBenchResults } from './lib/benchResults.ts';
import { packageVersion } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { canPin } from './lib/pinned.ts';
import { prepare } from './lib/prepare.ts';

prepare();
const options = readOptions();
const results = createBenchResults('bench:client', options, {
  '@vitrine/portal-client': packageVersion('@vitrine/portal-client'),
  undici: packageVersion('undici', '@vitrine/portal-client'),
  ...Object.fromEntries(['stripe', '@workos-inc/node'].map((name) => [name, packageVersion(name)])),
  pinning: canPin ? 'client on core 0, server on core 1' : 'none (taskset is missing): figures are rough',
});
await measureCalls(options, results);
await measureImport(options, results);
results.finish();
