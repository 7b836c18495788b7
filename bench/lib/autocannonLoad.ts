/** Runs one load with autocannon, in a process of its own so that it can be held to a core. */
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { countMark, type LoadOptions, type LoadResult } from './load.ts';

const { url, requests, connections, seconds } = JSON.parse(await text(process.stdin)) as LoadOptions; // our own parent wrote it

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  idReplacement: true,
  requests: requests.map(({ method, path, headers, body }) => ({
    method,
    path,
    headers: { ...headers },
    ...(body === undefined ? {} : { body: body.replaceAll(countMark, '[<id>]') }),
  })),
});

const answer: LoadResult = {
  requests: result.requests.total,
  perSecond: result.requests.total / result.duration,
  p50: result.latency.p50,
  p99: result.latency.p99,
  failures: result.non2xx + result.errors + result.timeouts,
};
process.stdout.write(JSON.stringify(answer));
