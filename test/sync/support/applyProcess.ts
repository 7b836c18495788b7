import { readFileSync } from 'node:fs';
import { createPortalClient, parseSyncPlan } from '@vitrine/portal-client';

/** Applies a plan in its own process, so that a test can kill it midway. */
const [baseUrl = '', planFile = ''] = process.argv.slice(2);
const client = createPortalClient({ baseUrl, apiKey: process.env['TEST_API_KEY'] ?? '' });
const result = await client.applyPlan(parseSyncPlan(readFileSync(planFile, 'utf8')), {
  concurrency: 4,
  allowRemovals: true,
  maxRemovals: 1_000,
  maxRemovalPercent: 100,
});
process.stdout.write(JSON.stringify(result));
await client.close();
