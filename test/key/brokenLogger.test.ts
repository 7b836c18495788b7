import { createNodeHandler } from '@vitrine/server';
import { expect, it, onTestFinished } from 'vitest';
import { serveUntilEnd } from '../support/serveUntilEnd.ts';
import { connectionTo } from '../support/standInPortal.ts';

it.each([
  [
    'throws',
    () => {
      throw new Error('disk full');
    },
  ],
  // An unhandled rejection would fail this run.
  ['rejects', () => Promise.reject(new Error('disk full'))],
])('a logger that %s changes no response', async (_title, broken) => {
  const handler = createNodeHandler({
    portal: connectionTo('http://127.0.0.1:9'),
    viewer: () => null,
    canView: () => true,
    logger: { debug: broken, info: broken, warn: broken, error: broken },
  });
  onTestFinished(() => handler.close());
  const url = await serveUntilEnd(handler);
  const response = await fetch(`${url}/api/embed/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
    body: '{"itemId":1042}',
  });
  expect([response.status, (await response.json()).code]).toEqual([401, 'signed_out']);
});
