import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ourVersion } from '../packaging/harness/versions.ts';
import { createApp } from './support/createApp.ts';
import { runCommand, temporaryFolder } from './support/runCommand.ts';

const viteConfig = `import react from '@vitejs/plugin-react';
export default { plugins: [react()] };
`;
const routes = `import { type RouteConfig, index } from '@react-router/dev/routes';
export default [index('routes/home.tsx')] satisfies RouteConfig;
`;

const apps = [
  {
    title: 'Next.js',
    address: 'http://localhost:3000/vitrine',
    packages: ['next', 'react'],
    files: { 'tsconfig.json': '{}', 'src/app/page.tsx': '' },
    created: ['src/app/api/embed/[route]/route.ts', 'src/app/vitrine/page.tsx', 'src/app/vitrine/layout.tsx'],
    changed: {},
  },
  {
    title: 'React Router',
    address: 'http://localhost:5173/vitrine',
    packages: ['@react-router/dev', 'vite', 'react'],
    files: { 'tsconfig.json': '{}', 'app/routes.ts': routes },
    created: ['app/routes/embed.ts', 'app/routes/vitrine.tsx'],
    changed: {
      'app/routes.ts': `vitrineRoute('api/embed/:route', 'routes/embed.ts')`,
    },
  },
  {
    title: 'Express',
    address: 'http://localhost:3000/vitrine',
    packages: ['express'],
    files: {
      'server.js': "const express = require('express');\nconst web = express();\nweb.listen(3000);\n",
    },
    created: ['vitrine.mjs'],
    changed: { 'server.js': "web.use('/api/embed', embed);" },
  },
  {
    title: 'Hono',
    address: '/vitrine of your server',
    packages: ['hono'],
    files: {
      'tsconfig.json': '{}',
      'src/index.ts': "import { Hono } from 'hono'\n\nconst app = new Hono()\n",
    },
    created: ['src/vitrine.ts'],
    changed: { 'src/index.ts': "import { embed, page } from './vitrine.js';" },
  },
  {
    title: 'Vite',
    address: 'http://localhost:5173/vitrine.html',
    packages: ['vite', 'react'],
    files: { 'vite.config.js': viteConfig },
    created: ['vitrine.html', 'src/vitrine.jsx'],
    changed: { 'vite.config.js': 'plugins: [vitrine(), react()]' },
  },
];

describe.each(apps)(
  'vitrine init in a $title app',
  ({ title, address, packages, files, created, changed }) => {
    it('shows the changes without making them with --dry-run', async () => {
      const app = createApp(packages, files);
      const before = app.contents();
      const { exitCode, stdout, stderr } = await app.vitrine('init --dry-run');
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(` ${title} app`) });
      for (const file of created) expect(stdout).toContain(`Create ${file}`);
      for (const [file, line] of Object.entries(changed)) {
        expect(stdout).toContain(`Change ${file}`);
        expect(
          stdout
            .split('\n')
            .filter((shown) => shown.startsWith('  + '))
            .join(),
        ).toContain(line);
      }
      expect(app.contents()).toEqual(before);
    });

    it('makes the changes, finds nothing to do the second time, and reverts everything', async () => {
      const app = createApp(packages, files);
      const before = app.contents();
      const { exitCode, stdout } = await app.init();
      expect(exitCode).toBe(0);
      expect(stdout.split('\n').filter((line) => /✓ (Key|Report page) /.test(line))).toHaveLength(2);
      expect(stdout).toContain(`. Open ${address}\n`);
      for (const file of created) expect(existsSync(join(app.cwd, file))).toBe(true);
      for (const [file, line] of Object.entries(changed)) expect(app.read(file)).toContain(line);
      expect(app.read('.gitignore')).toBe('.env.local\n.vitrine/\n');
      const after = app.contents();
      expect(await app.init()).toMatchObject({
        exitCode: 0,
        stderr: expect.stringContaining('already set up in this app'),
      });
      expect(app.contents()).toEqual(after);
      expect(await app.revert()).toMatchObject({ exitCode: 0 });
      expect(app.contents()).toEqual(before);
    });
  },
);

describe('vitrine init', () => {
  it('wraps the report of a Next.js page in a boundary, which Cache Components require', async () => {
    const app = createApp(['next', 'react']);
    await app.init();
    expect(app.read('app/vitrine/page.jsx')).toMatch(/<Suspense>\n +<EmbeddedReport .*\n +<\/Suspense>/);
  });

  const files = { 'vite.config.js': viteConfig };

  it.each(['express', 'hono'])(
    'takes a Vite app that lists %s, but has no server file, for a Vite app',
    async (server) => {
      const app = createApp([server, 'vite', 'react'], files);
      expect(await app.vitrine('init --dry-run')).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(' Vite app'),
      });
    },
  );

  it('takes a Vite app with a server file for an app of that server', async () => {
    const server = "import express from 'express';\n\nconst app = express();\napp.listen(3000);\n";
    const app = createApp(['express', 'vite', 'react'], { ...files, 'server.js': server });
    expect(await app.vitrine('init --dry-run')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(' Express app'),
    });
  });

  it('never overwrites a file', async () => {
    const app = createApp(['vite', 'react'], { ...files, 'src/vitrine.jsx': '// mine\n' });
    const before = app.contents();
    expect(await app.init()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Nothing was changed. src/vitrine.jsx already exists.'),
    });
    expect(app.contents()).toEqual(before);
  });

  it('finds nothing to do after the page that it wrote was edited', async () => {
    const app = createApp(['vite', 'react'], files);
    await app.init();
    const page = app.read('src/vitrine.jsx').replace('1042', '1043');
    writeFileSync(join(app.cwd, 'src/vitrine.jsx'), page);
    expect(await app.init()).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('already set up in this app'),
    });
    expect(app.read('src/vitrine.jsx')).toBe(page);
  });

  it('shows what it would revert, and reverts nothing without confirmation', async () => {
    const app = createApp(['vite', 'react'], files);
    await app.init();
    const before = app.contents();
    expect(await app.vitrine('init --revert')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringMatching(/Restore vite\.config\.js\n[\s\S]*Remove src\/vitrine\.jsx\n/),
      stderr: expect.stringContaining('Add --yes'),
    });
    expect(app.contents()).toEqual(before);
  });

  it.each([
    ['http://acme.localhost:4460', { userId: 'developer', roleNames: ['all-regions'] }],
    ['https://acme.portal.example', undefined],
    ['https://acme.localhost.example', undefined],
    ['', undefined],
  ])('signs the developer in only with a local portal: %s', async (tenantUrl, viewer) => {
    const app = createApp(['hono'], { 'index.js': 'const app = new Hono();\n' });
    await app.init();
    const [, code = ''] = /viewer: (\(\) =>[\s\S]*?),\n +\/\//.exec(app.read('vitrine.js')) ?? [];
    const context = { process: { env: { VITRINE_TENANT_URL: tenantUrl } } };
    expect(runInNewContext(`(${code})()`, context)).toEqual(viewer);
  });

  it('shows what to add when a file has no place for it', async () => {
    const app = createApp(['vite', 'react'], { 'vite.config.js': 'export default {};\n' });
    const { exitCode, stderr } = await app.init();
    expect(exitCode).toBe(1);
    expect(stderr).toContain("import { vitrine } from '@vitrine/vite';");
  });

  it('asks for confirmation, and changes nothing without a terminal', async () => {
    const app = createApp(['vite', 'react'], files);
    const before = app.contents();
    expect(await app.vitrine('init')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Add --yes'),
    });
    expect(app.contents()).toEqual(before);
  });

  it('keeps files that were edited since, and names them', async () => {
    const app = createApp(['vite', 'react'], files);
    await app.init();
    writeFileSync(join(app.cwd, 'src/vitrine.jsx'), '// mine now\n');
    expect(await app.revert()).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('Not changed, because you have edited them since: src/vitrine.jsx.'),
    });
    expect(app.read('src/vitrine.jsx')).toBe('// mine now\n');
    expect(app.read('vite.config.js')).toBe(viteConfig);
  });

  it('keeps line endings and indentation', async () => {
    const app = createApp(['vite', 'react'], { 'vite.config.js': viteConfig.replaceAll('\n', '\r\n') });
    writeFileSync(
      join(app.cwd, 'package.json'),
      '{\n\t"name": "app",\n\t"devDependencies": { "react": "*", "vite": "*" }\n}\n',
    );
    await app.init();
    expect(app.read('vite.config.js').replaceAll('\r\n', '')).not.toContain('\n');
    expect(app.read('package.json')).toContain(`\n\t\t"@vitrine/vite": "^${ourVersion}"`);
  });

  it.each([
    ['an app of an unknown kind', [], 'This app does not use'],
    ['an Express app without a server', ['express'], 'has a line like "const app = express();"'],
    [
      'a React Router app without routes',
      ['@react-router/dev', 'react'],
      'has none of these files: app/routes.ts',
    ],
  ])('reports what it did not find: %s', async (_, packages, message) => {
    expect(await createApp(packages).init()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(message),
    });
  });

  it('prints "an Express app", and exits with 1 when a check of vitrine doctor fails', async () => {
    const app = createApp(['express'], { 'server.js': 'const app = express();\n' });
    const env = { HTTP_PROXY: 'no address' };
    const run = { cwd: app.cwd, env };
    expect(await runCommand('init --yes --skip-install', run)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('an Express app'),
      stdout: expect.stringMatching(/✗ [\s\S]*Open \/vitrine of your server/),
    });
  });

  it('reports that there is no app and nothing to revert', async () => {
    expect(await runCommand('init', { cwd: temporaryFolder() })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is no package.json'),
    });
    expect(await createApp(['vite', 'react']).vitrine('init --revert')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('There is nothing to undo'),
    });
  });
});
