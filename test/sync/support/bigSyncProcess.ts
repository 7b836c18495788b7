import { subscribe } from 'node:diagnostics_channel';
import { createPortalClient, type DesiredUser } from '@vitrine/portal-client';

/**
 * Syncs a tenant with a directory of a given size and prints the duration. The source is a stream: user number N
 * already exists if N is below `existing`, and every `changeEvery`-th of them differs.
 */
const [baseUrl = '', sizes = ''] = process.argv.slice(2);
const { wanted, changeEvery } = JSON.parse(sizes) as { wanted: number; changeEvery: number };

let requests = 0;
const client = createPortalClient({
  baseUrl,
  apiKey: 'test-api-key-0123456789',
  concurrency: 32,
});
subscribe('undici:request:create', () => {
  requests += 1;
});

async function* source(): AsyncGenerator<DesiredUser> {
  for (let number = 0; number < wanted; number += 1)
    yield {
      email: `User-${number}@ACME.example`,
      type: 'UserPass',
      firstName: 'Given name',
      lastName: number % changeEvery === 0 ? `Changed name ${number}` : `Family name ${number}`,
      roles: ['Readers'],
    };
}

const idleRss = process.memoryUsage.rss();
/** The most memory that the process has had, in bytes. */
const peak = () => process.resourceUsage().maxRSS * 1024;

const startedAt = performance.now();
const plan = await client.planSync({ users: source() });
const plannedAt = performance.now();
const planRequests = requests;
const planPeakRss = peak();
const result = await client.applyPlan(plan, { concurrency: 32 });
const appliedAt = performance.now();
for (const { message } of result.failed) process.stderr.write(`${message}\n`);
await client.close();

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
process.stdout.write(
  JSON.stringify({
    counts: plan.counts,
    failed: result.failed.length + result.drifted.length,
    done: result.done,
    planSeconds: (plannedAt - startedAt) / 1000,
    applySeconds: (appliedAt - plannedAt) / 1000,
    idleMegabytes: megabytes(idleRss),
    planPeakMegabytes: megabytes(planPeakRss),
    peakMegabytes: megabytes(peak()),
    planRequests,
    requests,
  }),
);
