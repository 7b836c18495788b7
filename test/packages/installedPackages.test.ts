import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createEncryptedKeyPath, tenantIdHeader } from '@vitrine/contract/service';
import type { PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isSupportedNode } from '../../scripts/checkNode.mjs';
import { askTenant } from '../portal/onTenant.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { sharedRegistry } from './harness/versions.ts';

interface KeyWish {
  readonly itemId: number;
  readonly roleNames: readonly string[];
  readonly expiration: string;
}

/** Requests a key exactly as in docs/interface.md#4.6, without our own client code. */
const askForKey = async (tenant: PortalTenant, wish: KeyWish): Promise<string> => {
  const response = await fetch(`${tenant.apiBaseUrl}${createEncryptedKeyPath}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `ApiKey ${tenant.apiKey}`,
      [tenantIdHeader]: String(tenant.tenantId),
    },
    body: JSON.stringify({
      value: {
        userId: 'reader@acme.example',
        reportId: wish.itemId,
        roleNames: wish.roleNames,
        expiration: wish.expiration,
      },
      passPhrase: tenant.passPhrase,
      tenancyName: tenant.tenancyName,
    }),
  });
  const { result } = (await response.json()) as { result: { key: string } | null }; // docs/interface.md#4.6
  if (result === null) throw new Error(`The portal returned no key: status ${response.status}.`);
  return result.key;
};

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer({
    app: 'portal',
    packages: ['contract', 'portal-client', 'server', 'express', 'portal', 'vite', 'conformance', 'cli'],
    registry: sharedRegistry,
  });
});
afterAll(() => consumer?.remove());

interface Started {
  readonly url: string;
  readonly tenants: readonly PortalTenant[];
}

describe('the portal and the command, installed from tarballs', () => {
  it('the portal shows a report, and serves every file that its page references', async () => {
    const { tenants } = await consumer.serve<Started>('start.js', {});
    const tenant = tenants.find(({ tenancyName }) => tenancyName === 'acme')!;
    const expiration = new Date(Date.now() + 600_000).toISOString();
    const key = await askForKey(tenant, { itemId: 1042, roleNames: ['region-north'], expiration });

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
