/**
 * The cost of losing no action: durable ingest compared with a route that stores nothing and with one commit per event;
 * clicks with 500,000 stored ones; latency from click to page; thousands of idle streams. All in one run, in rounds
 * that visit the designs in a new order each time.
 */
import { measureClicks } from './actions/measureClicks.ts';
import { measureIngest } from './actions/measureIngest.ts';
import { measureStreams } from './actions/measureStreams.ts';
import { createBenchResults } from './lib/benchResults.ts';
import { loadGenerator } from './lib/load.ts';
import { packageVersion } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { canPin } from './lib/pinned.ts';
import { prepare } from './lib/prepare.ts';

prepare();
const options = readOptions();
const results = createBenchResults('bench:actions', options, {
  '@vitrine/server': packageVersion('@vitrine/server'),
  express: packageVersion('express'),
  load: loadGenerator,
  pinning: canPin ? 'server on core 0, load on core 1' : 'none (taskset is missing): figures are rough',
});
await measureIngest(options, results);
await measureClicks(options, results);
await measureStreams(options, results);
// Runs the demo, which needs the packages that `prepare` has just built.
const { measureLatency } = await import('./actions/measureLatency.ts');
await measureLatency(options, results);
results.finish();
