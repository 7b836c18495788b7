import { createServer } from 'node:http';
import { render, waitFor } from '@testing-library/react';
import { EmbeddedReport, EmbedProvider } from '@vitrine/react';
import { createNodeHandler } from '@vitrine/server';
import { fetch } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { frames } from '../support/domReport.tsx';
import { listenOn } from '../support/listenOn.ts';
import {
  closeServer,
  connectionTo,
  envelopeOf,
  refusalOf,
  startStandInPortal,
} from '../support/standInPortal.ts';

/** A page, a host and a portal, each behind its own sockets. */
const open = async (message: string) => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  portal.answer = () => ({ status: 404, body: refusalOf(404, message) });
  const handler = createNodeHandler({
    portal: connectionTo(portal.url),
    viewer: () => ({ userId: 'anna' }),
    canView: () => true,
    logger: false,
  });
  const host = createServer(handler);
  onTestFinished(async () => {
    await closeServer(host);
    await handler.close();
  });
  const errors: string[] = [];
  const address = await listenOn(host);
  render(
    // The fetch of Node: the one of the test's page does not send requests to another origin.
    <EmbedProvider endpoint={`${address}/api/embed`} fetch={fetch as unknown as typeof globalThis.fetch}>
      <EmbeddedReport itemId={1042} onError={({ code, retry }) => errors.push(`${code}, retry ${retry}`)} />
    </EmbedProvider>,
  );
  await waitFor(() => expect(errors).toHaveLength(1), { timeout: 20_000 });
  return { portal, errors };
};

it('a report appears by itself after its portal answered 404 without naming a report', async () => {
  const { portal, errors } = await open('There is no such endpoint.');
  expect(errors).toEqual(['portal_invalid_response, retry automatic']);
  portal.answer = () => ({ body: envelopeOf('key-of-the-retry') });
  await waitFor(
    () =>
      expect(
        frames()
          .map(({ src }) => src)
          .join(),
      ).toContain('key-of-the-retry'),
    {
      timeout: 20_000,
    },
  );
}, 60_000);

it('control: after a 404 that names the report, the viewer decides', async () => {
  const { errors } = await open('There is no such item.');
  expect(errors).toEqual(['report_unavailable, retry manual']);
});
