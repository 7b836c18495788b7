import type { RequestListener } from 'node:http';
import { createFetchHandler, createNodeHandler } from '@vitrine/server';
import { onTestFinished } from 'vitest';
import { connectionTo, startStandInPortal } from '../../support/standInPortal.ts';

/** The configuration of both hosts, in front of a portal that closes with the test. */
const optionsOfHost = async () => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  return {
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'north.manager@acme.example' }),
    canView: () => true as const,
    rateLimit: false as const,
    logger: false as const,
  };
};

/** A host on Node's own server, in front of a working portal. */
export const honestHost = async (): Promise<RequestListener> => {
  const handler = createNodeHandler(await optionsOfHost());
  onTestFinished(() => handler.close());
  return handler;
};

/** The same as a web-standard handler, for requests without a network. */
export const honestFetchHost = async (): Promise<(request: Request) => Promise<Response>> => {
  const handler = createFetchHandler(await optionsOfHost());
  onTestFinished(() => handler.close());
  return handler;
};
