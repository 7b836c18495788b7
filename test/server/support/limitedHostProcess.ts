/**
 * A host with a shared rate limit of five, in a process of its own. Usage: node limitedHostProcess.ts <store> <portal> <name>.
 * Each line of its input is answered by the statuses of so many key requests of one viewer, sent at once, as JSON.
 */
import { createInterface } from 'node:readline';
import { createFetchHandler, type SharedLimiter } from '@vitrine/server';
import { keyRequest, viewerByHeader } from '../../support/keyRequest.ts';
import { connectionTo } from '../../support/standInPortal.ts';
import { openLimiter, type StoreName } from './sharedStores.ts';

const [store = '', portalUrl = '', name = ''] = process.argv.slice(2);
// The test that starts this script gives one of the names.
const perViewer: SharedLimiter = await openLimiter(store as StoreName, name);
const handler = createFetchHandler({
  portal: connectionTo(portalUrl),
  viewer: viewerByHeader,
  canView: () => true,
  rateLimit: { perViewer, perTenant: false },
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
process.stdout.write('ready\n');
