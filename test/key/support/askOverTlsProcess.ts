/** Requests a key from a portal, and prints the status. */
import { createFetchHandler } from '@vitrine/server';
import { keyRequest, viewerByHeader } from '../../support/keyRequest.ts';
import { connectionTo } from '../../support/standInPortal.ts';

const handler = createFetchHandler({
  portal: connectionTo(process.argv[2] ?? ''),
  viewer: viewerByHeader,
  canView: () => true,
  logger: false,
});
process.stdout.write(String((await handler(keyRequest(1042))).status));
await handler.close();
