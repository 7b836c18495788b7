import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { publicEntries } from './harness/publicEntries.ts';
import { versionsOf } from './harness/versions.ts';

const platform = process.platform === 'win32' ? 'win' : process.platform;
const nodePackage = `node-${platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${platform}-${process.arch}`;
const entries = publicEntries.filter((name) => !name.endsWith('.css'));

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer({
    app: 'resolvers',
    packages: ['conformance', 'contract', 'express', 'portal', 'portal-client', 'react', 'server', 'vite'],
    registry: {
      ...versionsOf('@tanstack/react-query', 'express', 'react', 'react-dom', 'vite', 'zod'),
      'node-22': `npm:${nodePackage}@22.23.2`,
      'node-26': `npm:${nodePackage}@26.10.0`,
    },
  });
  writeFileSync(join(consumer.folder, 'entries.json'), JSON.stringify(entries));
});
afterAll(() => consumer?.remove());

describe.each([22, 26])('every entry of every package is found by Node.js %i', (version) => {
  it.each(['import.mjs', 'require.cjs'])('%s', async (script) => {
    const node = `../node-${version}/bin/node`; // from node_modules/.bin
    expect(await consumer.bin(node, join('node', script))).toContain(
      `${entries.length} entries in v${version}.`,
    );
  });
});
