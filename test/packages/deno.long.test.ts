import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createConsumer } from './harness/createConsumer.ts';

const connection = {
  tenantUrl: 'https://acme.portal.example',
  tenantId: 101,
  tenancyName: 'acme',
  apiKey: 'test-api-key-0123456789',
  passPhrase: 'test-passphrase-0123',
};

/** A portal and a host in one process, which prints the answers to three key requests. */
const program = `
import { createFetchHandler } from '@vitrine/server';
const silent = { port: 0, hostname: '127.0.0.1', onListen: () => undefined };
const portal = Deno.serve(silent, () => Response.json({ result: { key: 'key-1' }, success: true, error: null }));
const handler = createFetchHandler({
  portal: { ...${JSON.stringify(connection)}, apiBaseUrl: 'http://127.0.0.1:' + portal.addr.port },
  viewer: (request) => request.headers.has('x-user') && { userId: 'anna' },
  canView: () => true,
});
const host = Deno.serve(silent, (request) => handler(request));
const ask = async (body, more) => {
  const headers = { 'content-type': 'application/json', 'x-vitrine-request': '1', ...more };
  const answer = await fetch('http://127.0.0.1:' + host.addr.port + '/api/embed/keys', { method: 'POST', headers, body });
  const { key, code } = await answer.json();
  return [answer.status, key ?? code];
};
console.log(JSON.stringify([
  await ask('{"itemId":1042}', { 'x-user': 'anna' }),
  await ask('{"itemId":1042,"userId":"x"}', { 'x-user': 'anna' }),
  await ask('{"itemId":1042}', {}),
]));
await handler.close();
Deno.exit();
`;

it('createFetchHandler() serves keys on Deno', async () => {
  const app = await createConsumer({
    packages: ['contract', 'portal-client', 'server'],
    registry: { deno: '2.9.6' },
  });
  onTestFinished(() => app.remove());
  writeFileSync(join(app.folder, 'host.js'), program);
  const said = await app.bin('deno', 'run', '--allow-all', 'host.js');
  expect(said).toContain('[[200,"key-1"],[400,"invalid_request"],[401,"signed_out"]]');
});
