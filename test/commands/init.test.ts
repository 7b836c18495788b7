import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { frameworks } from '../../src/cli/lib/commands/init/frameworks.ts';
import { addVitePlugin } from '../../src/cli/lib/commands/init/viteConfig.ts';
import { ourVersion } from '../packages/harness/versions.ts';
import { runCommand, temporaryFolder } from './support/runCommand.ts';

afterEach(() => vi.unstubAllEnvs());

/** A folder with some files and a package.json that names some packages. */
const createApp = (
  packages: readonly string[] | Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) => {
  const cwd = temporaryFolder();
  const dependencies = Array.isArray(packages)
    ? Object.fromEntries(packages.map((name) => [name, '*']))
    : packages;
  for (const [file, text] of Object.entries({
    'package.json': `${JSON.stringify({ name: 'app', scripts: { dev: 'go' }, dependencies }, null, 2)}\n`,
    ...files,
  })) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const vitrine = (line: string, env: Record<string, string> = {}) => runCommand(line, { cwd, env });
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
  return {
    cwd,
    vitrine,
    init: () => vitrine('init --yes --skip-install'),
    read,
    /** Lists more packages, as an installation does. */
    list: (names: readonly string[]) => {
      const manifest = JSON.parse(read('package.json'));
      for (const name of names) manifest.dependencies[name] = '*';
      writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
    },
    /** Installs Vite, and our plugin from its source. */
    linkPackages: () => {
      const ours = join(cwd, 'node_modules/@vitrine/vite');
      mkdirSync(ours, { recursive: true });
      symlinkSync(resolve('node_modules/vite'), join(cwd, 'node_modules/vite'));
      writeFileSync(join(ours, 'package.json'), '{"type":"module","exports":"./index.js"}');
      const source = pathToFileURL(resolve('src/vite/lib/index.ts'));
      writeFileSync(join(ours, 'index.js'), `export { vitrine } from '${source.href}';\n`);
    },
    contents: () =>
      Object.fromEntries(
        readdirSync(cwd, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
          .map(({ parentPath, name }) => join(parentPath, name))
          .map((file) => [file.slice(cwd.length + 1), readFileSync(file, 'utf8')]),
      ),
  };
};

const viteConfig = "import react from '@vitejs/plugin-react';\n\nexport default { plugins: [react()] };\n";
const express = "const express = require('express');\nconst app = express();\napp.listen(3000);\n";
const hono = "import { Hono } from 'hono';\nconst app = new Hono();\n";

const apps = [
  {
    title: 'Next.js',
    packages: ['next', 'react'],
    files: {},
    created: ['app/api/embed/[route]/route.js', 'app/vitrine/page.jsx', 'app/vitrine/layout.jsx'],
    said: 'Open /vitrine of the address that it prints',
  },
  {
    title: 'React Router',
    packages: ['@react-router/dev', 'react'],
    files: { 'tsconfig.json': '{}', 'app/routes.ts': 'export default [];\n' },
    created: ['app/routes/embed.ts', 'app/routes/vitrine.tsx'],
    said: "Add to the list of routes in app/routes.ts:\n\n  import { route } from '@react-router/dev/routes';\n  route('api/embed/:route', 'routes/embed.ts'),\n  route('vitrine', 'routes/vitrine.tsx'),\n",
  },
  {
    title: 'Express',
    packages: ['express'],
    files: { 'server.js': express },
    created: ['vitrine.mjs'],
    said: "Add to server.js, to the app that listens, below your session and sign-in, and above what answers 404:\n\n  const { embed } = require('./vitrine.mjs');\n  app.use('/api/embed', embed);\n",
  },
  {
    title: 'Hono',
    packages: ['hono'],
    files: { 'tsconfig.json': '{}', 'src/index.ts': hono },
    created: ['src/vitrine.ts'],
    said: "Add to src/index.ts, to the app that listens, below your session and sign-in, and above what answers 404:\n\n  import { embed } from './vitrine.js';\n  app.all('/api/embed/*', (c) => embed(c.req.raw));\n",
  },
  {
    title: 'Vite',
    packages: ['vite', 'react'],
    files: { 'vite.config.js': viteConfig },
    created: ['vitrine.html', 'src/vitrine.jsx'],
    said: 'Open /vitrine.html of the address that it prints',
  },
];

describe.each(apps)('vitrine init in a $title app', ({ title, packages, files, created, said }) => {
  it('shows the changes and, without a terminal, makes none', async () => {
    const app = createApp(packages, files);
    const before = app.contents();
    const { exitCode, stdout, stderr } = await app.vitrine('init');
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^${title} app[^]*Add --yes`))]);
    for (const file of created) expect(stderr).toContain(`Create ${file}`);
    expect(stdout).toBe('');
    expect(app.contents()).toEqual(before);
  });

  it('prints one JSON object with --json', async () => {
    const app = createApp(packages, files);
    const { exitCode, stdout } = await app.vitrine('init --yes --skip-install --json');
    const { steps, add, ...result } = JSON.parse(stdout);
    expect([exitCode, result]).toEqual([
      0,
      {
        framework: title,
        created: expect.arrayContaining(created),
        changed: [title === 'Vite' ? 'vite.config.js' : '.gitignore'],
        ...(['Express', 'Hono'].includes(title)
          ? {}
          : { page: expect.stringMatching(/^\/vitrine(\.html)?$/) }),
      },
    ]);
    expect(steps[0]).toMatch(/^npm install /);
    const addition = add === undefined ? '' : `Add to ${add.where}:\n\n${add.code.replaceAll(/^/gm, '  ')}\n`;
    expect(`${addition}${steps.join('\n')}`).toContain(said);
  });

  it('writes new files, changes no server, says what to add, and finds nothing to do the second time', async () => {
    const app = createApp(packages, files);
    const before = app.contents();
    const { exitCode, stdout, stderr } = await app.init();
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(said)]);
    const after = app.contents();
    const made = Object.keys(after).filter((file) => !(file in before));
    const named = (word: string) =>
      [...stderr.matchAll(new RegExp(`^${word} (\\S+)$`, 'gm'))].map(([, file]) => file);
    expect(named('Create').concat(title === 'Vite' ? [] : '.gitignore')).toEqual(
      expect.arrayContaining(made),
    );
    expect(made).toEqual(expect.arrayContaining(named('Create')));
    expect(made).toEqual(expect.arrayContaining(created));
    expect(named('Change')).toEqual([title === 'Vite' ? 'vite.config.js' : '.gitignore']);
    expect(stdout.includes('npx vitrine doctor')).toBe(title !== 'Vite');
    const changed = Object.keys(before).filter((file) => before[file] !== after[file]);
    expect(changed).toEqual(title === 'Vite' ? ['vite.config.js'] : []);
    if (title !== 'Vite') {
      expect(app.read('.gitignore')).toBe('.env.local\n');
      expect(app.read('.env.local')).toMatch(
        /^# .*--write-env[^\n]*\nVITRINE_TENANT_URL=\n(VITRINE_\w+=\n){5}$/,
      );
    }
    const install = /^\d\. (npm install .*)$/m.exec(stdout)?.[1] ?? '';
    expect(install).toContain(`@${ourVersion.replace(/^/, '^')}`);
    app.list(install.match(/@?[\w/-]+(?=@\^)/g) ?? []);
    const again = await app.init();
    expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining(said)]);
    expect(again.stderr).toContain('already set up in this app');
    const { 'package.json': _manifest, ...rest } = app.contents();
    expect({ ...rest, 'package.json': after['package.json'] }).toEqual(after);
  });
});

describe('the configuration of Vite', () => {
  const call = 'plugins: [vitrine(), react()]';
  it.each([
    ['an object', 'export default { plugins: [react()] };', call],
    ['defineConfig()', 'export default defineConfig({ plugins: [react()] });', call],
    ['a name', 'const config = { plugins: [react()] };\nexport default config;', call],
    ['a type', 'export default { plugins: [react()] } satisfies UserConfig;', call],
    ['CommonJS', 'module.exports = defineConfig({ plugins: [react()] });', call],
    ['a spread', 'export default { ...common, plugins: [react()] };', call],
    ['a function', 'export default ({ command }) => ({ plugins: [react()] });', call],
    ['a function in defineConfig()', 'export default defineConfig(() => ({ plugins: [react()] }));', call],
    [
      'a function that only reads variables',
      "export default defineConfig(async ({ mode }) => {\n  const env = loadEnv(mode, '.');\n  return { plugins: [react()] };\n});",
      call,
    ],
    ['a function in CommonJS', 'module.exports = function () { return { plugins: [react()] }; };', call],
    ['no plugins', 'export default { server: { port: 8123 } };', 'plugins: [vitrine()]'],
    [
      'other lists',
      'export default { css: { postcss: { plugins: [] } }, plugins: [react({ plugins: [] })] };',
      'plugins: [vitrine(), react({ plugins: [] })]',
    ],
  ])('gets the plugin with %s', (_name, code, expected) => {
    const written = addVitePlugin('vite.config.js', `// a comment\n${code}\n`);
    expect(written.replaceAll(/\s+/g, ' ').replaceAll('[ ', '[').replaceAll(' ]', ']')).toContain(expected);
    expect(written).toContain('// a comment');
    const importLine = code.startsWith('module')
      ? /^const \{ vitrine \} = require\(['"]@vitrine\/vite['"]\);$/m
      : /^import \{ vitrine \} from ['"]@vitrine\/vite['"];$/m;
    expect(written).toMatch(importLine);
    expect(addVitePlugin('vite.config.js', written)).toBe(written);
  });

  it.each([
    'export default load();',
    'export default [];',
    'const a = 1;',
    'export default () => load();',
    'export default ({ command }) => { if (command) return { plugins: [] }; return { plugins: [] }; };',
    'export default defineConfig(() => ({ ...common }));',
    'export default { plugins: common };',
    'export default mergeConfig(base, { plugins: [] });',
    "export default { ...common, root: 'web' };",
    'export default defineConfig({ ...common, server: { port: 5640 } });',
    'const config = { ...common };\nexport default config;',
  ])('is not changed without an object: %s', async (code) => {
    const app = createApp(['vite', 'react'], { 'vite.config.js': code });
    const before = app.contents();
    const { exitCode, stderr } = await app.init();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('plugins: [vitrine()]')]);
    expect(app.contents()).toEqual(before);
  });

  it.each(['\n', '\n\n', ''])('keeps its end %j', async (end) => {
    const app = createApp(['vite', 'react'], { 'vite.config.js': `export default { plugins: [] };${end}` });
    await app.init();
    expect(app.read('vite.config.js')).toMatch(new RegExp(`\\};${end}$`));
  });

  it('is named with the line of a mistake, and not changed', async () => {
    const app = createApp(['vite', 'react'], { 'vite.config.ts': 'export default {\n  plugins: [\n};\n' });
    const before = app.contents();
    const { exitCode, stderr } = await app.init();
    expect([exitCode, stderr]).toEqual([
      1,
      "vite.config.ts was not changed: Unexpected token (3:0). Change it, or add the plugin before the others, and run vitrine init again:\n\nimport { vitrine } from '@vitrine/vite';\nplugins: [vitrine()]\n",
    ]);
    expect(app.contents()).toEqual(before);
  });

  it.each(['\t', '   ', '    '])('keeps its indentation %j', (indent) => {
    const code = 'export default {\n  plugins: [\n    react(),\n  ],\n  server: {\n    port: 3,\n  },\n};\n';
    const written = addVitePlugin('vite.config.js', code.replaceAll('  ', indent));
    expect(written).toContain(`\n${indent}server: {\n${indent}${indent}port: 3,\n`);
    expect(written).toMatch(new RegExp(`\n${indent}plugins: `));
  });

  it('keeps its line endings', async () => {
    const app = createApp(['vite', 'react'], { 'vite.config.js': viteConfig.replaceAll('\n', '\r\n') });
    await app.init();
    expect(app.read('vite.config.js').replaceAll('\r\n', '')).not.toContain('\n');
  });
});

/** Package managers that write a file to the folder where they ran: `ran-npm`. */
const fakePackageManagers = (script = ''): void => {
  const folder = temporaryFolder();
  for (const name of ['npm', 'pnpm', 'yarn', 'bun'])
    writeFileSync(join(folder, name), `#!/bin/sh\necho "$@" >> ran-${name}\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
};

describe('after the installation, vitrine init', () => {
  const start = async (files: Readonly<Record<string, string>>) => {
    fakePackageManagers();
    const app = createApp(['vite', 'react'], files);
    app.linkPackages();
    const before = app.contents();
    const run = await app.vitrine('init --yes', { NODE_OPTIONS: '--conditions=@vitrine/source' });
    return { app, before, ...run };
  };

  it.each([
    ['vite.config.mjs', 'export default { plugins: [] };\n', ''],
    ['vite.config.cjs', 'module.exports = { plugins: [] };\n', ''],
    ['vite.config.ts', "export default { base: '/shop/', root: 'web' };\n", 'shop/'],
  ])(
    'starts Vite with %s, asks the key route, and prints an address that answered',
    async (file, code, base) => {
      const { exitCode, stdout, stderr } = await start({ [file]: code });
      expect({ exitCode, stderr }).toEqual({
        exitCode: 0,
        stderr: expect.stringContaining('the key route answers'),
      });
      expect(stdout).toMatch(new RegExp(`Open http://localhost:\\d+/${base}vitrine\\.html\\n`));
    },
  );

  it('takes everything back and says why if Vite does not start', async () => {
    const { app, before, exitCode, stderr } = await start({
      'vite.config.mjs': "throw new Error('no license');\nexport default { plugins: [] };\n",
    });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /took its changes back[^]*does not start .*: Error: no license\nCorrect the cause[^]*\nplugins: \[vitrine\(\)\]/,
      ),
    ]);
    const { 'ran-npm': _ran, ...after } = app.contents();
    expect(after).toEqual(before);
  });

  const inPlugin = (code: string) =>
    `import { writeFileSync } from 'node:fs';\nexport default { plugins: [{ name: 'own', configureServer: ${code} }] };\n`;

  it.each([
    ['prints nothing and ends', 'console.log("over"); process.exit(0)', 'it ended without an answer'],
    ['waits', 'return new Promise(() => setInterval(() => undefined, 1e6))', 'within 30 seconds'],
    ['is busy and takes no signal', "process.on('SIGTERM', () => undefined); for (;;);", 'within 30 seconds'],
  ])('takes everything back if a plugin %s instead of an answer', async (_what, code, reason) => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    const limit = vi.spyOn(AbortSignal, 'timeout');
    limit.mockImplementation((ms) => (ms === 30_000 && reason.includes('30') ? real(6_000) : real(ms)));
    const { app, before, exitCode, stderr } = await start({
      'vite.config.mjs': inPlugin(`() => { writeFileSync('pid', String(process.pid)); ${code} }`),
    }).finally(() => limit.mockRestore());
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(
        `does not start with the changed configuration: ${reason.startsWith('within') ? 'it did not answer ' : ''}${reason}\n`,
      ),
    ]);
    expect(stderr).toContain('Starting Vite …\n');
    expect(stderr).not.toMatch(/createServer|key route answers/);
    const { 'ran-npm': _ran, pid, ...after } = app.contents();
    expect(after).toEqual(before);
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'));
  });

  it('stops Vite and takes everything back on Ctrl-C', async () => {
    fakePackageManagers();
    const app = createApp(['vite', 'react'], {
      'vite.config.mjs': inPlugin("() => { writeFileSync('pid', String(process.pid)); for (;;); }"),
    });
    app.linkPackages();
    const before = app.contents();
    const controller = new AbortController();
    const run = runCommand('init --yes', {
      cwd: app.cwd,
      env: { NODE_OPTIONS: '--conditions=@vitrine/source' },
      signal: controller.signal,
    });
    await vi.waitFor(() => expect(app.read('pid')).not.toBe(''), { timeout: 20_000 });
    controller.abort();
    expect(await run).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/took its changes back.*\nStopped\.\n$/),
    });
    const { 'ran-npm': _ran, pid, ...after } = app.contents();
    expect(after).toEqual(before);
    await vi.waitFor(() => expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH'));
  });

  it('accepts the own certificate of an app with https, and another port than the one of the configuration', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const [key, cert] = ['portal-key.pem', 'self-signed.pem'].map((name) =>
      JSON.stringify(readFileSync(join('test/support/certificates', name), 'utf8')),
    );
    const { exitCode, stdout } = await start({
      'vite.config.mjs': `export default { plugins: [], server: { port: ${port}, strictPort: true, https: { key: ${key}, cert: ${cert} } } };\n`,
    }).finally(() => server.close());
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/Open https:\/\/localhost:\d+\/vitrine/)]);
    expect(stdout).not.toContain(`:${port}/`);
  });
});

describe('vitrine init', () => {
  it.each([
    [
      'a route before the server',
      { 'a.ts': "import { Hono } from 'hono';\nconst users = new Hono();\nconst app = new Hono();\n" },
      "\n  app.all('/api/embed/*'",
    ],
    [
      'a base path of Hono, which the line must not repeat',
      { 'a.ts': "import { Hono } from 'hono';\nconst app = new Hono().basePath('/api');\n" },
      "\n  app.all('/embed/*'",
    ],
    [
      'another base path of Hono',
      { 'a.ts': "import { Hono } from 'hono';\nconst app = new Hono().basePath('/v1');\n" },
      "\n  app.all('/api/embed/*'",
    ],
    [
      'a router in another file',
      {
        'app.js': express,
        'routes/index.js': "var express = require('express');\nvar router = express.Router();\n",
      },
      'Add to app.js, to the app',
    ],
    ['two servers', { 'a.js': express, 'b.js': express }, 'Add to a.js or b.js, to the app that listens'],
    [
      'an app with options',
      { 'a.ts': "import { Hono } from 'hono'\nconst web = new Hono<{ A: 1 }>({ strict: false })\n" },
      'Add to a.ts, to the app',
    ],
    [
      'an app with a type',
      { 'a.ts': "import express from 'express';\nconst app: express.Express = express();\n" },
      "app.use('/api/embed', embed);",
    ],
    ['only a comment', { 'a.js': '// const old = express();\n' }, 'the file that creates your server'],
  ])('only shows lines for a server: %s', async (_name, files, said) => {
    const app = createApp([JSON.stringify(files).includes('hono') ? 'hono' : 'express'], files);
    const { exitCode, stdout } = await app.init();
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(said)]);
    for (const [file, text] of Object.entries(files)) expect(app.read(file)).toBe(text);
  });

  it.each([
    [{ 'app/page.js': '', 'src/app/page.js': '' }, 'app/vitrine/page.jsx'],
    [{ 'src/app/page.js': '' }, 'src/app/vitrine/page.jsx'],
    [{ 'src/pages/index.js': '' }, 'src/app/vitrine/page.jsx'],
    [{ 'pages/index.js': '', 'src/app/old.js': '' }, 'app/vitrine/page.jsx'],
  ])('writes the page where Next.js looks: %j', async (files, page) => {
    const app = createApp(['next', 'react'], files);
    await app.init();
    expect(app.read(page)).toMatch(/<Suspense>\n +<EmbeddedReport .*\n +<\/Suspense>/);
  });

  it.each<[string, string, string, string]>([
    ['next', "module.exports = { basePath: '/shop' };", 'next.config.js', 'app/vitrine/page.jsx'],
    [
      '@react-router/dev',
      "export default { ssr: true, basename: '/shop' };",
      'react-router.config.js',
      'app/routes/vitrine.jsx',
    ],
    ...[
      "const basePath = '/shop';\nconst nextConfig = { basePath };\nmodule.exports = nextConfig;",
      "export const base: string = '/shop/'; // as in nginx\nexport default { basePath: base, output: 'export' };",
      "const config = {};\nconfig.basePath = '/shop';\nmodule.exports = config;",
      "export default {\n  reactStrictMode: true,\n  'basePath': `/shop` as const\n};",
      'export default { basePath: "/shop" // the proxy has it too\n};',
    ].map(
      (text) =>
        ['next', text, 'next.config.ts', 'app/vitrine/page.jsx'] satisfies [string, string, string, string],
    ),
  ])('writes and prints the base path of a %s app with %s', async (name, text, file, page) => {
    const app = createApp([name, 'react'], { [file]: text });
    expect((await app.init()).stdout).toContain('Open /shop/vitrine of the address');
    expect(app.read(page)).toContain('<EmbedProvider endpoint="/shop/api/embed">');
  });

  it.each([
    [
      ['@react-router/dev', 'react'],
      { 'react-router.config.ts': 'export default {\n  // no server\n  ssr: false,\n};' },
      'react-router.config.ts has ssr: false, so this app has no server',
    ],
    [
      ['vite', 'react'],
      {
        'vite.config.js': `import root from './root.js';\n${viteConfig.replace('{ plugins', '{ root, plugins')}`,
      },
      "the value of root in vite.config.js is code that init does not read. Write it as a text, such as root: 'web'",
    ],
  ])('changes nothing in an app of %j whose configuration it cannot serve: %j', async (list, files, said) => {
    const app = createApp(list, files);
    const before = app.contents();
    const { exitCode, stderr } = await app.vitrine('init --yes --skip-install');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Nothing was changed: ${said}`)]);
    expect(app.contents()).toEqual(before);
  });

  it.each(['__dirname', 'import.meta.dirname'])(
    'takes root: %s of Vite for the folder itself',
    async (root) => {
      const app = createApp(['vite', 'react'], {
        'vite.config.js': viteConfig.replace('{ plugins', `{ root: ${root}, plugins`),
      });
      await app.init();
      expect(app.read('vitrine.html')).toContain('/src/vitrine.jsx');
    },
  );

  it.each([
    ['next', 'basePath', "import { basePath } from './site.mjs';\nexport default { basePath };"],
    ['next', 'basePath', "export default { basePath: process.env.BASE_PATH ?? '/shop' };"],
    ['next', 'basePath', "export default { basePath: '/shop' + suffix, trailingSlash: true };"],
    ['next', 'basePath', 'export default () => ({\n  basePath: `/${shop}`,\n});'],
    ['next', 'basePath', "const isLive = true;\nmodule.exports = { basePath: isLive ? '/shop' : '' };"],
    ['react-router', 'basename', 'export default { basename: process.env.BASE };'],
  ])('says what to set in a %s app whose %s only its code knows: %s', async (name, setting, text) => {
    const [page, list] =
      name === 'next'
        ? ['app/vitrine/page.jsx', ['next', 'react']]
        : ['app/routes/vitrine.jsx', ['@react-router/dev', 'react']];
    const app = createApp(list, { [`${name}.config.mjs`]: text });
    const { stdout } = await app.init();
    expect(stdout).toContain(
      `. Replace <${setting}> in <EmbedProvider endpoint="<${setting}>/api/embed"> of the new page: its value could not be read`,
    );
    expect(stdout).toContain(`Open <${setting}>/vitrine of the address`);
    expect(app.read(page)).toContain(`<EmbedProvider endpoint="<${setting}>/api/embed">`);
  });

  it.each(["{ basePath: '' }", '{ images: { path: site.basePath } }', '{} // const basePath = 1'])(
    'sets no base path for %s',
    async (text) => {
      const app = createApp(['next', 'react'], { 'next.config.mjs': `export default ${text};\n` });
      expect((await app.init()).stdout).toContain('Open /vitrine of the address');
      expect(app.read('app/vitrine/page.jsx')).toContain('<EmbedProvider>');
    },
  );

  it('takes a Vite app that only lists a server for a Vite app, and one with a server file for that server', async () => {
    const files = { 'vite.config.js': viteConfig };
    const only = createApp(['express', 'vite', 'react'], files);
    expect((await only.vitrine('init')).stderr).toMatch(/^Vite app/);
    const both = createApp(['express', 'vite', 'react'], { ...files, 'server.js': express });
    expect((await both.vitrine('init')).stderr).toMatch(/^Express app/);
  });

  it('never overwrites a file', async () => {
    const file = 'src/vitrine.jsx';
    const app = createApp(['vite', 'react'], { 'vite.config.js': viteConfig, [file]: '// mine\n' });
    const before = app.contents();
    const { exitCode, stderr } = await app.init();
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`Nothing was changed. ${file} already exists.`),
    ]);
    expect(app.contents()).toEqual(before);
  });

  it.each([
    [{ vite: '*', vue: '*' }, 'nor React with'],
    [{ next: '^12.0.0', react: '17' }, 'needs next 14.0 or newer; package.json has ^12.0.0'],
    [{ next: '*', react: '*', '@tanstack/react-query': '~4.1' }, 'needs @tanstack/react-query 5.60'],
    [
      { express: '~4.16.1' },
      'needs express 4.18 or newer; package.json has ~4.16.1. Install it first, such as express@^4.18.0',
    ],
    [{}, 'package.json lists neither Express, Nest or Hono'],
  ])('rejects unsupported packages: %j', async (dependencies, message) => {
    const app = createApp(dependencies, { 'vite.config.js': viteConfig });
    const before = app.contents();
    expect(await app.init()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect(app.contents()).toEqual(before);
  });

  it('shows where Nest, which runs on Express, mounts the key route', async () => {
    const main = 'const bootstrap = async () => {\n  const app = await NestFactory.create(AppModule);\n};\n';
    const app = createApp(['@nestjs/platform-express'], { 'tsconfig.json': '{}', 'src/main.ts': main });
    const { stdout, exitCode } = await app.init();
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        /Add to src\/main\.ts, [^]*'\.\/vitrine\.js';\n {2}app\.use\('\/api\/embed', embed\);/,
      ),
    ]);
    expect([app.read('src/main.ts'), app.read('src/vitrine.ts')]).toEqual([
      main,
      expect.stringContaining('vitrine('),
    ]);
  });

  it('accepts a range that includes a supported version', async () => {
    expect((await createApp({ express: '^4.16.0' }, { 'a.js': express }).init()).exitCode).toBe(0);
  });

  it('ignores a setting in a comment', async () => {
    const app = createApp(['next', 'react'], {
      'next.config.mjs': "export default {}; // basePath: '/old'\n",
    });
    expect((await app.init()).stdout).toContain('Open /vitrine of the address');
  });

  it.each([
    ['http://acme.localhost:4460', { userId: 'developer', roleNames: ['all-regions'] }],
    ['https://acme.portal.example', undefined],
    ['https://acme.localhost.example', undefined],
    ['', undefined],
  ])('signs the developer in only with a local portal: %s', async (tenantUrl, viewer) => {
    const app = createApp(['hono'], { 'index.js': hono });
    await app.init();
    const [, code = ''] = /viewer: (\(\) =>[\s\S]*?),\n +\/\//.exec(app.read('vitrine.mjs')) ?? [];
    const context = { process: { env: { VITRINE_TENANT_URL: tenantUrl } } };
    expect(runInNewContext(`(${code})()`, context)).toEqual(viewer);
  });

  it.each([
    ['pnpm', { 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': '' }],
    ['yarn', { 'yarn.lock': '', 'package.json': '{"workspaces":["apps/*"]}' }],
    ['npm', { 'package-lock.json': '' }],
  ])('installs with %s below a folder with %j', async (manager, files) => {
    fakePackageManagers();
    const inApp = { 'apps/web/package.json': '{"dependencies":{"express":"5"}}', 'apps/web/app.js': express };
    const { cwd } = createApp([], { 'package.json': '{}', ...files, ...inApp });
    const web = join(cwd, 'apps/web');
    expect(await runCommand('init --yes', { cwd: web })).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`Running ${manager} `),
    });
    expect(readdirSync(web).filter((name) => name.startsWith('ran-'))).toEqual([`ran-${manager}`]);
  });

  it('installs with a package manager that prints much', async () => {
    fakePackageManagers('head -c 1000000 /dev/zero | tr "\\0" a');
    const { exitCode } = await createApp(['express'], { 'app.js': express }).vitrine('init --yes');
    expect(exitCode).toBe(0);
  });

  it.each([
    ['project.json', '{}'],
    ['package.json', '{"name":"@shop/web"}'],
  ])('installs the packages of an app of an Nx workspace with a %s in the workspace', async (file, text) => {
    fakePackageManagers();
    const app = createApp(['express'], {
      'nx.json': '{}',
      [`apps/web/${file}`]: text,
      'apps/web/main.js': express,
    });
    const { exitCode, stderr } = await runCommand('init --yes', { cwd: join(app.cwd, 'apps/web') });
    expect(exitCode).toBe(0);
    expect(app.read('ran-npm')).toContain('install @vitrine/express@^');
    expect(stderr).toContain(`vitrine@^${ourVersion} in ${app.cwd}\n`);
    expect(app.read('apps/web/vitrine.mjs')).toContain('canView');
  });

  it.each([
    ['stdout', ['express'], { 'app.js': express }, 'echo "peer dep conflict"; exit 1'],
    ['stderr', ['vite', 'react'], { 'vite.config.js': viteConfig }, 'echo "peer dep conflict" >&2; exit 1'],
  ])(
    'writes nothing and prints the cause, on %s, of a failed installation with %j and %j',
    async (_stream, packages, files, script) => {
      fakePackageManagers(script);
      const app = createApp(packages, files);
      const before = app.contents();
      const { exitCode, stderr } = await app.vitrine('init --yes');
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('peer dep conflict\n')]);
      expect(stderr).toContain('The installation did not finish, so vitrine init changed nothing else.');
      const { 'ran-npm': _ran, ...after } = app.contents();
      expect(after).toEqual(before);
    },
  );

  it('says what to do after a canceled installation', async () => {
    fakePackageManagers('exec sleep 30');
    const app = createApp(['express'], { 'app.js': express });
    const controller = new AbortController();
    const run = runCommand('init --yes', { cwd: app.cwd, signal: controller.signal });
    await vi.waitFor(() => expect(app.read('ran-npm')).toContain('install'), { timeout: 20_000 });
    setTimeout(() => controller.abort(), 200);
    expect(await run).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        'The installation did not finish, so vitrine init changed nothing else.',
      ),
    });
    expect(existsSync(join(app.cwd, 'vitrine.mjs'))).toBe(false);
  });

  it('keeps an existing .env.local and leaves a link to nowhere alone', async () => {
    const app = createApp(['express'], { 'app.js': express, '.env.local': 'MINE=1\n' });
    expect((await app.init()).exitCode).toBe(0);
    expect(app.read('.env.local')).toBe('MINE=1\n');
    const linked = createApp(['express'], { 'app.js': express });
    symlinkSync(join(linked.cwd, 'elsewhere'), join(linked.cwd, '.env.local'));
    expect(await linked.init()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Could not write \.env\.local: .*run vitrine init again/),
    });
    expect(existsSync(join(linked.cwd, 'vitrine.mjs'))).toBe(false);
    expect(existsSync(join(linked.cwd, 'elsewhere'))).toBe(false);
  });

  it.each(['*.local', '.env*', '.env.*', '.env.local'])(
    'adds no line to a .gitignore with %s, and one to another',
    async (line) => {
      const app = createApp(['express'], { 'app.js': express, '.gitignore': `dist\n${line}` });
      await app.init();
      expect(app.read('.gitignore')).toBe(`dist\n${line}`);
      const other = createApp(['express'], { 'app.js': express, '.gitignore': 'dist\n.env' });
      await other.init();
      expect(other.read('.gitignore')).toBe('dist\n.env\n.env.local\n');
    },
  );

  it('compares with the peer ranges of our packages', () => {
    const versions = frameworks.flatMap(({ needs, adds }) => [needs, adds]);
    const oldestPeers: Record<string, string> = Object.assign({}, ...versions);
    expect(Object.keys(oldestPeers)).toContain('express');
    for (const name of ['express', 'vite', 'react']) {
      const { peerDependencies } = JSON.parse(readFileSync(`src/${name}/package.json`, 'utf8'));
      for (const [peer, range] of Object.entries<string>(peerDependencies))
        if (peer in oldestPeers)
          expect([peer, range]).toEqual([
            peer,
            expect.stringMatching(new RegExp(`^\\^${oldestPeers[peer]}\\.`)),
          ]);
    }
  });

  it.each(['{\n  "dependencies": {\n', ''])('names a package.json that is not JSON: %j', async (text) => {
    const app = createApp([], { 'package.json': text });
    const { exitCode, stderr } = await app.init();
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/package\.json is not valid JSON\./)]);
  });

  it('says what to do in a folder without an app', async () => {
    expect(await runCommand('init', { cwd: temporaryFolder() })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('create an app with: npm create vitrine@latest'),
    });
  });

  it.each<[string, Record<string, string>]>([
    ['npm and yarn', { 'package.json': '{"workspaces":["apps/*"]}' }],
    ['pnpm', { 'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n" }],
    ['Nx', { 'nx.json': '{}', 'apps/web/project.json': '{}', 'apps/web/vite.config.mts': viteConfig }],
  ])('writes nothing at the root of a workspace of %s', async (_name, files) => {
    const app = createApp(['vite', 'react'], files);
    const before = app.contents();
    expect(await app.init()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('the folder of the app'),
    });
    expect(app.contents()).toEqual(before);
  });

  it('takes everything back if one of its files cannot be written', async () => {
    const app = createApp(['vite', 'react'], {
      'vite.config.ts': `\uFEFF${viteConfig}`,
      'tsconfig.json': '{}',
      'src/main.tsx': '',
    });
    chmodSync(join(app.cwd, 'vite.config.ts'), 0o755);
    symlinkSync('nowhere.tsx', join(app.cwd, 'src/vitrine.tsx'));
    const before = app.contents();
    const { exitCode, stderr } = await app.init();
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/took its changes back.*\nCould not write src\/vitrine\.tsx: it is a link/),
    ]);
    expect(app.contents()).toEqual(before);
    expect(statSync(join(app.cwd, 'vite.config.ts')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(app.cwd, 'src/vitrine.tsx')).isSymbolicLink()).toBe(true);
  });

  it('removes the folders that it made for files if another one cannot be written', async () => {
    const app = createApp(['next', 'react'], { 'pages/index.js': '' });
    mkdirSync(join(app.cwd, 'app'));
    symlinkSync('nowhere', join(app.cwd, 'app/vitrine'));
    expect((await app.init()).exitCode).toBe(1);
    const found = readdirSync(app.cwd, { recursive: true, encoding: 'utf8' });
    expect(new Set(found)).toEqual(
      new Set(['app', 'app/vitrine', 'package.json', 'pages', 'pages/index.js']),
    );
  });

  it('writes nothing where a folder has the name of a file', async () => {
    const app = createApp(['express'], { 'app.js': express });
    mkdirSync(join(app.cwd, 'vitrine.mjs'));
    const before = app.contents();
    expect((await app.init()).stderr).toContain('Nothing was changed. vitrine.mjs already exists.');
    expect(app.contents()).toEqual(before);
  });
});
