/**
 * A host with a shared rate limit of five, in its own process. Usage: node limitedHostProcess.ts <store> <portal>
 * <name>. For each line of input it sends that many concurrent key requests of one viewer, and prints the statuses as
 * JSON.
 */
import { createInterface } from 'node:readline';
import { createFetchHandler, type SharedLimiter } from '@vitrine/server';
import { keyRequest, viewerByHeader } from '../../support/keyRequest.ts';
import { connectionTo } from '../../support/standInPortal.ts';
import { openLimiter, type StoreName } from './sharedStores.ts';

const [store = '', portalUrl = '', name = ''] = process.argv.slice(2);
// The test that starts this script passes one of the names.
const rateLimit: SharedLimiter = await openLimiter(store as StoreName, name);
const handler = createFetchHandler({
  portal: connectionTo(portalUrl),
  viewer: viewerByHeader,
  canView: () => true,
  rateLimit,
  logger: false,
});
let asked = 0;
const ask = async () => (await handler(keyRequest((asked += 1), 'a@acme.example'))).status;
createInterface(process.stdin)
  .on('line', (line) => {
    void Promise.all(Array.from({ length: Number(line) }, ask)).then((statuses) =>
      process.stdout.write(`${JSON.stringify(statuses)}\n`),
    );
  })
  .on('close', () => process.exit(0));
// Opens the connection, so that the first request does not wait for it.
await rateLimit.consume('nobody');
process.stdout.write('ready\n');
