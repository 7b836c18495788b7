import type { IncomingMessage } from 'node:http';
import { createNodeHandler } from '@vitrine/server';
import { onTestFinished } from 'vitest';
import { describeKeyEndpoint, optionsFor } from '../support/keyEndpointSuite.ts';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';

describeKeyEndpoint('node:http without a framework', (portalUrl, options) => {
  const handler = createNodeHandler(
    optionsFor<IncomingMessage>(portalUrl, (request) => request.headers.cookie, options),
  );
  onTestFinished(() => handler.close());
  return serveUntilEnd(handler);
});
