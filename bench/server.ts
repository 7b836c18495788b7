/**
 * The cost of the key proxy, compared with proxies that a host could write or install. All in one run, in rounds that
 * visit the designs in a new order each time; the server has its own core, the load generator and the portal share
 * another. Compare CPU per request, which is reproducible; requests per second are not.
 */

import { createBenchResults } from './lib/benchResults.ts';
import { loadGenerator } from './lib/load.ts';
import { packageVersion, versionOf } from './lib/machine.ts';
import { readOptions } from './lib/options.ts';
import { canPin } from './lib/pinned.ts';
import { prepare } from './lib/prepare.ts';
import { measureAddedLatency } from './server/measureAddedLatency.ts';
import { measureManyViewers } from './server/measureManyViewers.ts';
import { measureThroughput } from './server/measureThroughput.ts';
import { hasNginx } from './server/nginxUpstream.ts';

prepare();
const options = readOptions();
const packages = ['@vitrine/express', 'express', 'http-proxy-middleware', '@fastify/http-proxy', 'fastify'];
const results = createBenchResults('bench:server', options, {
  ...Object.fromEntries(packages.map((name) => [name, packageVersion(name)])),
  undici: packageVersion('undici', '@vitrine/portal-client'),
  load: loadGenerator,
  portal: hasNginx ? (versionOf('nginx', '-h') ?? 'nginx') : 'node:http',
  pinning: canPin
    ? 'server on core 0, load and portal on core 1'
    : 'none (taskset is missing): figures are rough',
});
await measureThroughput(options, results);
await measureAddedLatency(options, results);
await measureManyViewers(options, results);
results.finish();
