/** Requests a key from two portals, also trusting the certificate in the file, and prints the statuses as JSON. */
import { readFileSync } from 'node:fs';
import { createFetchHandler } from '@vitrine/server';
import { keyRequest, viewerByHeader } from '../../support/keyRequest.ts';
import { connectionTo } from '../../support/standInPortal.ts';

const [first = '', second = '', file = ''] = process.argv.slice(2);
const ca = readFileSync(file, 'utf8');
const statuses: number[] = [];
for (const url of [first, second]) {
  const handler = createFetchHandler({
    portal: connectionTo(url),
    viewer: viewerByHeader,
    canView: () => true,
    upstream: { tls: { ca } },
    logger: false,
  });
  statuses.push((await handler(keyRequest(1042))).status);
  await handler.close();
}
process.stdout.write(JSON.stringify(statuses));
