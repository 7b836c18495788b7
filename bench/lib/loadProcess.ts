/** Runs one load with autocannon, in its own process, so that it can be pinned to a core. */
import { text } from 'node:stream/consumers';
import type { LoadOptions, LoadResult } from './load.ts';

// Only installed in bench, so its types are not available here.
const name: string = 'autocannon';
const { default: autocannon } = await import(name);

const { url, requests, connections, seconds, amount } = JSON.parse(await text(process.stdin)) as LoadOptions; // our own parent wrote it

let client = 0;

const result = await autocannon({
  url,
  connections,
  ...(amount === undefined ? { duration: seconds } : { amount }),
  timeout: 120,
  idReplacement: true,
  requests,
  // Every connection has requests of its own; otherwise all would request the same key at once, and share calls. The clock
  // runs while they are built, so that all of them for each connection would take most of a load.
  setupClient: (connection: { readonly setRequests: (own: typeof requests) => void }) => {
    const own = requests.filter((_, index) => index % connections === client % requests.length);
    client += 1;
    connection.setRequests(own);
  },
});

const answer: LoadResult = {
  requests: result.requests.total,
  perSecond: result.requests.total / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  // Timeouts are among the errors.
  failures: result.non2xx + result.errors,
};
process.stdout.write(JSON.stringify(answer));
