import { subscribe } from 'node:diagnostics_channel';
import { createPortalClient, type DesiredUser } from '@vitrine/portal-client';

/**
 * Syncs a tenant with a directory of a given size and prints its memory and its requests. The source is a stream: user number N
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

/** The most memory that the process has had. */
const peakMegabytes = () => Math.round(process.resourceUsage().maxRSS / 1024);

const plan = await client.planSync({ users: source() });
const planPeakMegabytes = peakMegabytes();
const result = await client.applyPlan(plan, { concurrency: 32 });
for (const { message } of result.failed) process.stderr.write(`${message}\n`);
await client.close();

process.stdout.write(
  JSON.stringify({
    failed: result.failed.length + result.drifted.length,
    done: result.done,
    planPeakMegabytes,
    peakMegabytes: peakMegabytes(),
    requests,
  }),
);
