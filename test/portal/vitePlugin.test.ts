import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultSeed } from '@vitrine/portal';
import { build, createServer } from 'vite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { appConfig, startApp } from './vite/startApp.ts';

const portalOf = (said: string): string => /Portal: +(http:\/\/\S+)/.exec(said)?.[1] ?? '';

const takePort = async () => {
  const server = createNetServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { port, free: () => new Promise<void>((resolve) => void server.close(() => resolve())) };
};

describe('vitrine() in a Vite server', () => {
  it('serves keys, and prints where the portal and its reports are', async () => {
    const app = await startApp();
    const answer = await app.askForKey();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      itemId: 1042,
      key: expect.any(String),
      tenantUrl: expect.stringContaining('http://acme.localhost:'),
    });
    app.server.printUrls();
    expect(app.said()).toContain('<EmbeddedReport itemId={1042} /> Sales by region');
    const console = await fetch(portalOf(app.said()));
    expect(console.status).toBe(200);
  });

  it('writes nothing to disk', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [node, ...args] = [process.execPath, '--conditions=@vitrine/source'];
    // Everything with a default location is written to this folder.
    const environment = { ...process.env, HOME: folder, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' };
    const run = (...more: string[]) =>
      promisify(execFile)(node, [...args, ...more], { cwd: folder, env: environment });
    const { stdout } = await run(join(import.meta.dirname, 'vite/askOnceProcess.ts'));
    expect(stdout).toBe('200');
    // Vite's own cache.
    const written = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('.vite'));
    expect(written()).toEqual([]);
    // Control: a portal with a database file is detected.
    const portal = import.meta.resolve('@vitrine/portal');
    await run(
      '--eval',
      `import(${JSON.stringify(portal)}).then(({ createPortal }) => createPortal({ database: 'a.db' })).then((one) => one.close())`,
    );
    expect(written()).toContain('a.db');
  });

  it('passes every other path to Vite and the app', async () => {
    const app = await startApp();
    const page = await fetch(app.url(), { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<div id="root">');
    expect((await fetch(new URL('/main.tsx', app.url()))).status).toBe(200);
  });

  it('calls the viewer function, and issues no key when it returns nobody', async () => {
    const app = await startApp({
      viewer: (request) =>
        request.headers.cookie === 'user=jane' ? { userId: 'jane', roleNames: ['region-north'] } : undefined,
    });
    expect((await app.askForKey()).status).toBe(401);
    expect((await app.askForKey(1042, { cookie: 'user=jane' })).status).toBe(200);
  });

  it('issues no key to a viewer whose roles are called anything but roleNames', async () => {
    const viewer = { userId: 'jane', roles: ['region-north'] };
    const app = await startApp({ viewer: () => viewer as never });
    expect((await app.askForKey()).status).toBe(500);
  });

  it('accepts another endpoint, tenant and seed', async () => {
    const [acme, globex] = defaultSeed.tenants;
    const seed = { tenants: [acme!, { ...globex!, tenancyName: 'initech' }] };
    const app = await startApp({ endpoint: '/keys-for-me', tenant: 'initech', seed });
    const answer = await fetch(new URL('/keys-for-me/keys', app.url()), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
      body: JSON.stringify({ itemId: globex!.items![0]!.id }),
    });
    expect(await answer.json()).toMatchObject({
      tenantUrl: expect.stringContaining('http://initech.localhost'),
    });
  });

  it('keeps its portal when Vite restarts, also on a fixed port, and ends it with the last server', async () => {
    const net = createNetServer();
    await new Promise<void>((resolve) => {
      net.listen(0, '127.0.0.1', resolve);
    });
    const address = net.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await new Promise((resolve) => {
      net.close(resolve);
    });
    const app = await startApp({ port });
    const before = await (await app.askForKey()).json();
    await app.server.restart();
    const after = await (await app.askForKey()).json();
    expect(after.tenantUrl).toBe(before.tenantUrl);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    await app.server.close();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  });

  it('reports a taken port, and tries again at the next request', async () => {
    const { port, free } = await takePort();
    const app = await startApp({ port });
    expect(app.said()).toContain(
      `the portal did not start: port ${port} is in use. Set another port with vitrine({ port })`,
    );
    expect((await fetch(app.url(), { headers: { accept: 'text/html' } })).status).toBe(200);
    const answer = await app.askForKey();
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'portal_unavailable' }]);
    await free();
    const keys = await Promise.all([app.askForKey(), app.askForKey()]);
    expect(keys.map(({ status }) => status)).toEqual([200, 200]);
    await app.server.close();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  });

  it('lists the tenants when the configured one does not exist', async () => {
    await expect(createServer(appConfig({ tenant: 'acmee' }))).rejects.toThrow(
      'the portal has no tenant "acmee". Its tenants are acme, globex.',
    );
  });

  it('names an unknown option, and an unreadable seed', async () => {
    // A plain JavaScript configuration may contain anything.
    expect(() => appConfig({ vewer: undefined } as object)).toThrow(
      '@vitrine/vite: vitrine() has no option "vewer". Use "viewer".',
    );
    expect(() => appConfig({ viewer: 5 } as object)).toThrow('@vitrine/vite: Option "viewer" must be');
    expect(() => appConfig({ viewer: { userId: '' } })).toThrow('@vitrine/vite: Option "viewer" must be');
    expect(() => appConfig({ port: -1 })).toThrow(
      '@vitrine/vite: Option "port" is -1. Pass a whole number from 0 to 65535.',
    );
    await expect(createServer(appConfig({ seed: './no-such-seed.json' }))).rejects.toThrow(
      /no such file or directory.*no-such-seed\.json/,
    );
  });

  it('explains in the terminal why there is no key, and what to do', async () => {
    const app = await startApp();
    expect((await app.askForKey(1042, { origin: 'https://evil.example' })).status).toBe(403);
    expect(app.said()).toMatch(
      /No key issued\. .*Origin is "https:\/\/evil\.example".*\(cross_site_request, /,
    );
  });

  it('works in middleware mode with another server', async () => {
    const server = await createServer({ ...appConfig(), server: { middlewareMode: true, ws: false } });
    onTestFinished(() => server.close());
    const { createServer: createHttpServer } = await import('node:http');
    const http = createHttpServer(server.middlewares);
    await new Promise<void>((resolve) => {
      http.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void http.close());
    const address = http.address();
    const answer = await fetch(
      `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/embed/keys`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: JSON.stringify({ itemId: 1042 }),
      },
    );
    expect(answer.status).toBe(200);
  });
});

describe('vitrine() in production', () => {
  it('rejects a Vite server', async () => {
    await expect(createServer({ ...appConfig(), mode: 'production' })).rejects.toThrow(
      'this Vite server runs in production',
    );
  });

  it('has no effect in vite build', async () => {
    const config = appConfig({ port: (await takePort()).port });
    const result = await build({ ...config, logLevel: 'silent', build: { write: false } });
    const chunks = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
    const code = chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('\n');
    expect(code).toContain('/api/embed');
    expect(code).not.toMatch(/@vitrine\/(?:portal|server)|kysely/);
    expect(existsSync('test/portal/viteApp/dist')).toBe(false);
  });
});
