import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { versionsOf } from './harness/versions.ts';

let portal: Portal;
let consumer: Consumer;

beforeAll(async () => {
  [portal, consumer] = await Promise.all([
    createPortal(),
    createConsumer({
      app: 'generated',
      packages: [],
      registry: {
        '@hey-api/openapi-ts': '0.99.0',
        '@stoplight/spectral-cli': '6.16.3',
        'openapi-fetch': '0.17.0',
        'openapi-typescript': '7.13.0',
        typescript: '5.9.3',
        ...versionsOf('@types/node'),
      },
      tools: ['esbuild'],
    }),
  ]);
  for (const [name, path] of [
    ['service', '/openapi.json'],
    ['control', '/_control/openapi.json'],
  ] as const)
    writeFileSync(join(consumer.folder, `${name}.json`), await (await fetch(portal.url + path)).text());
});
afterAll(() => Promise.all([portal?.close(), consumer?.remove()]));

describe('clients that are generated from /openapi.json', () => {
  it('compile in strict mode, and work', async () => {
    await consumer.bin('openapi-typescript', 'service.json', '-o', 'made/schema.ts');
    await consumer.bin('openapi-ts', '-i', 'service.json', '-o', 'made/hey', '-c', '@hey-api/client-fetch');
    await expect(consumer.bin('tsc', '-p', '.')).resolves.toBe('');
    await consumer.bin(
      'esbuild',
      'calls.ts',
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--outfile=calls.mjs',
    );
    const { apiKey = '', passPhrase = '', tenantId = 0 } = portal.tenants[0] ?? {};
    writeFileSync(
      join(consumer.folder, '.env'),
      [`PORTAL=${portal.url}`, `API_KEY=${apiKey}`, `PASSPHRASE=${passPhrase}`, `TENANT_ID=${tenantId}`].join(
        '\n',
      ),
    );
    expect(JSON.parse(await consumer.bin('node', '--env-file=.env', 'calls.mjs'))).toEqual({
      created: 'Generated typed',
      missing: 'not_found',
      key: true,
      roles: ['Viewer'],
      listed: 2,
    });
  });

  it.each(['service', 'control'])('come from a document without findings of Spectral: %s', async (name) => {
    writeFileSync(join(consumer.folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
    const output = await consumer.bin('spectral', 'lint', `${name}.json`, '--fail-severity=hint');
    expect(output).toContain('No results');
  });

  it('would not pass with a document that Spectral complains about', async () => {
    writeFileSync(
      join(consumer.folder, 'wrong.json'),
      JSON.stringify({ openapi: '3.1.0', info: {}, paths: {} }),
    );
    await expect(consumer.bin('spectral', 'lint', 'wrong.json', '--fail-severity=hint')).rejects.toThrow(
      'info-',
    );
  });
});
