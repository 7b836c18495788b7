import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSupportedNode } from '../../scripts/checkNode.mjs';
import { mintKey } from '../portal/mint.ts';
import { askTenant } from '../portal/onTenant.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { sharedRegistry } from './harness/versions.ts';

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer({
    app: 'portal',
    packages: ['contract', 'portal-client', 'server', 'express', 'portal', 'vite', 'conformance', 'cli'],
    registry: sharedRegistry,
  });
});
afterAll(() => consumer?.remove());

describe('the portal and the command, installed from tarballs', () => {
  it('the portal shows a report, and serves every file that its page references', async () => {
    const tenant: PortalTenant = JSON.parse(await consumer.serve('node start.js', {}, /^\{.*\}(?=\n)/m));
    const key = await mintKey({ tenant, itemId: 1042, roleNames: ['region-north'] });

    const page = await askTenant(tenant.tenantUrl, `/report/1042?ev=${encodeURIComponent(key)}`);
    expect(page.status).toBe(200);
    expect(page.body).toContain('Sales by region');
    const files = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path);
    const statuses = await Promise.all(
      files.map(async (file) => (await askTenant(tenant.tenantUrl, file)).status),
    );
    expect(statuses).toEqual(files.map(() => 200));
  });

  it('the command prints its help', async () => {
    expect(await consumer.bin('vitrine', '--help')).toContain('Usage: vitrine');
  });

  // The bundler once dropped the check, whose result nobody used.
  it('the client names a proxy whose password is not encoded', () => {
    const { stderr } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        "import { createPortalClient } from '@vitrine/portal-client'; createPortalClient({ baseUrl: 'https://api.portal.example', apiKey: 'test-api-key-0123456789' });",
      ],
      {
        cwd: consumer.folder,
        encoding: 'utf8',
        env: { ...process.env, HTTPS_PROXY: 'http://usr:100%@127.0.0.1:3128' },
      },
    );
    expect(stderr).toContain('invalid_proxy');
    expect(stderr).not.toContain('URI malformed');
  });
});

/** An unsupported Node on this machine, if there is one. */
const findOldNode = (): string | undefined => {
  const { stdout } = spawnSync('which', ['-a', 'node'], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((file) => file !== '')
    .find((file) => !isSupportedNode(execFileSync(file, ['-v'], { encoding: 'utf8' }).trim().slice(1)));
};
const oldNode = findOldNode();

describe.skipIf(oldNode === undefined)('an unsupported Node version', () => {
  const run = (...args: readonly string[]) =>
    spawnSync(oldNode ?? '', args, { cwd: consumer.folder, encoding: 'utf8' });
  const sentence =
    /Node \d+\.\d+\.\d+ is not supported by Vitrine: install Node \S.* from https:\/\/nodejs\.org\./;

  it.each(['portal-client', 'server', 'express', 'portal', 'vite'])(
    'gets a clear error from @vitrine/%s instead of a missing module',
    (name) => {
      const { status, stderr } = run('--input-type=module', '--eval', `import '@vitrine/${name}';`);
      expect(status).toBe(1);
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/No such built-in|Cannot read|does not provide an export/);
    },
  );

  it('gets a single sentence from the command line', () => {
    const { status, stdout, stderr } = run(
      join(consumer.folder, 'node_modules/vitrine/dist/bin.js'),
      'doctor',
    );
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.trim()).toMatch(new RegExp(`^${sentence.source}$`));
  });
});
