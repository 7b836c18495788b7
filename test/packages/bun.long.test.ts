import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createConsumer } from './harness/createConsumer.ts';

const connection = {
  tenantUrl: 'https://acme.portal.example',
  apiBaseUrl: 'https://api.portal.example',
  tenantId: 101,
  tenancyName: 'acme',
  apiKey: 'test-api-key-0123456789',
  passPhrase: 'test-passphrase-0123',
};

/** Prints how a host and a client start. */
const program = `
import { createPortalClient } from '@vitrine/portal-client';
import { createFetchHandler } from '@vitrine/server';
const embedding = ${JSON.stringify(connection)};
const start = (create) => {
  try {
    create();
    return 'starts';
  } catch (error) {
    return error.message;
  }
};
console.log(JSON.stringify([
  start(() => createPortalClient({ embedding })),
  ...[embedding, () => embedding].map((portal) =>
    start(() => createFetchHandler({ portal, viewer: () => null, canView: () => true, logger: false })),
  ),
]));
process.exit();
`;

it('a host and a client refuse to start on Bun, and say which runtimes to use', async () => {
  const app = await createConsumer({
    packages: ['contract', 'portal-client', 'server'],
    registry: { bun: '1.4.5' },
  });
  onTestFinished(() => app.remove());
  writeFileSync(join(app.folder, 'host.js'), program);
  await app.bin('node', 'node_modules/bun/install.js');
  const refusal =
    'This client does not run on Bun, which has no connection pool of undici. Use Node.js or Deno.';
  expect(JSON.parse(await app.bin('bun', 'host.js'))).toEqual([
    refusal,
    ...Array(2).fill(`${refusal} [invalid_option]`),
  ]);
  // Control: the same program on Node.
  expect(JSON.parse(await app.bin('node', 'host.js'))).toEqual(Array(3).fill('starts'));
});
