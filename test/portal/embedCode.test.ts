import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPortal, type Portal, tenantEnvironment } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type EmbedFramework,
  embedCode,
  embedFrameworks,
} from '../../src/portal/lib/console/shared/embedCode.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let portal: Portal;
let folder: string;
beforeAll(async () => {
  portal = await createPortal();
  folder = await mkdtemp(join(root, 'node_modules/.embed-'));
});
afterAll(async () => {
  await portal.close();
  await rm(folder, { recursive: true });
});

/** Everything differs from the starters. */
const target = {
  itemId: 1043,
  title: 'Operations board',
  userId: "o'neil@acme.example",
  roleNames: ['region-north'],
};

/** Writes the code of the Embed page to a folder. */
const write = async (framework: EmbedFramework, home: string) => {
  for (const { path, code } of embedCode(framework, target)) {
    const file = join(home, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

describe('the code on the Embed page', () => {
  it('contains no secret, whatever the name of the item', () => {
    const [acme] = portal.tenants;
    if (acme === undefined) throw new Error('The default seed has two tenants.');
    for (const framework of embedFrameworks)
      for (const { code } of embedCode(framework, { ...target, title: 'A "quoted" <b>&amp; {report}' })) {
        expect(code).not.toContain(acme.apiKey);
        expect(code).not.toContain(acme.passPhrase);
      }
  });

  it.each(embedFrameworks)('keeps nothing of the starter that the page has a choice for: %s', (framework) => {
    const code = embedCode(framework, target)
      .map((file) => file.code)
      .join('\n');
    expect(code).not.toMatch(/1042|Sales by region|developer|all-regions/);
    expect(code).toContain(`userId: "o'neil@acme.example", roleNames: ['region-north']`);
    expect(code).toContain('<EmbeddedReport itemId={1043} title="Operations board" />');
  });

  it('passes the strictest compiler options', async () => {
    for (const framework of embedFrameworks)
      await write(framework, join(folder, framework.replaceAll(/\W/g, '')));
    await writeFile(join(folder, 'styles.d.ts'), "declare module '*.css';\n");
    // An intentional mistake proves that the compiler reads the folder.
    await writeFile(join(folder, 'control.ts'), "export const wrong: number = 'text';\n");
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { noPropertyAccessFromIndexSignature: false, types: ['node', 'vite/client'] },
        include: ['**/*'],
        exclude: [],
      }),
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
      (error: unknown) => error as { stdout: string },
    );
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('control.ts(1,14): error TS2322')]);
  });

  it('issues keys in the route that Next.js calls', async () => {
    const [acme] = portal.tenants;
    if (acme === undefined) throw new Error('The default seed has two tenants.');
    const home = await mkdtemp(join(root, 'test/.embed-'));
    onTestFinished(() => rm(home, { recursive: true }));
    await write('Next.js', home);
    await writeFile(
      join(home, 'call.ts'),
      `import { POST } from './app/api/embed/[route]/route.ts';
for (const itemId of [1042, 1043]) {
  const answer = await POST(
    new Request('http://localhost:3000/api/embed/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
      body: JSON.stringify({ itemId }),
    }),
  );
  console.log(answer.status);
}
`,
    );
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@vitrine/source', join(home, 'call.ts')],
      { env: { ...process.env, ...tenantEnvironment(acme).values } },
    );
    expect(stdout.match(/^\d{3}$/gm)).toEqual(['404', '200']);
  });

  it.each(['Express + React', 'Hono'] as const)('issues keys when it runs: %s', async (framework) => {
    const [acme] = portal.tenants;
    if (acme === undefined) throw new Error('The default seed has two tenants.');
    const port = await freePort();
    // Node does not strip types below node_modules.
    const home = await mkdtemp(join(root, 'test/.embed-'));
    await write(framework, home);
    const child = spawn(process.execPath, ['--conditions=@vitrine/source', join(home, 'server/index.ts')], {
      env: { ...process.env, ...tenantEnvironment(acme).values, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    onTestFinished(async () => {
      child.kill();
      await rm(home, { recursive: true });
    });
    const ask = (itemId: number) =>
      fetch(`http://127.0.0.1:${port}/api/embed/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: JSON.stringify({ itemId }),
      });
    const answer = await expect
      .poll(() => ask(1043).catch(() => undefined), { timeout: 20_000, message: stderr })
      .toBeDefined()
      .then(() => ask(1043));
    expect([answer.status, ((await answer.json()) as { itemId: number }).itemId]).toEqual([200, 1043]);
    expect((await ask(1042)).status).toBe(404);
  });
});
