import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createApp } from './support/createApp.ts';

const express = "const express = require('express');\nconst app = express();\n";
const hono = "import { Hono } from 'hono';\nconst app = new Hono();\n";
const routes = "export default [route('/vitrine', 'mine.tsx')];\n";
const nextPackages = ['next', 'react'];
const routerPackages = ['@react-router/dev', 'react'];
const vitePackages = ['vite', 'react'];

describe('vitrine init changes nothing and says what to do in an app with', () => {
  it.each([
    ['the path of the key route', ['express'], { 'app.js': `${express}app.use("/api/embed", mine);\n` }],
    ['the path of the page', ['hono'], { 'index.js': `${hono}app.get('/vitrine', mine);\n` }],
    ['the name of an import', ['express'], { 'app.js': `${express}const page = 1;\n` }],
    ['a destructured name', ['express'], { 'app.js': `const { x, embed } = require('./x');\n${express}` }],
    ['a route with the same path', routerPackages, { 'app/routes.ts': routes }],
    ['a Next.js page', nextPackages, { 'app/layout.js': '', 'app/(shop)/vitrine/page.js': '// mine' }],
    ['a page of the Pages Router', nextPackages, { 'src/pages/vitrine.js': '// mine' }],
    ['a key route of Next.js', nextPackages, { 'app/api/embed/[...all]/route.js': '// mine' }],
  ])('%s', async (_, packages, files) => {
    const app = createApp(packages, files);
    const before = app.contents();
    const { exitCode, stderr } = await app.init();
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/Nothing was changed\. \S+ (already has .+|already exists)\./),
    });
    expect(app.contents()).toEqual(before);
  });

  it.each([
    [
      'an app created in one expression',
      ['hono'],
      { 'index.js': "const app = new Hono().basePath('/v1');\n" },
    ],
    ['an app created on two lines', ['express'], { 'index.js': 'const app = express()\n  .use(x);\n' }],
    ['only a comment', ['express'], { 'index.js': '/*\nconst app = express();\n*/\n' }],
    ['two apps', ['express'], { 'index.js': 'const a = express();\nconst b = express();\n' }],
    [
      'only PostCSS plugins',
      vitePackages,
      { 'vite.config.js': pluginsOf('css: { postcss: { plugins: [] } }') },
    ],
    [
      'only Rollup plugins',
      vitePackages,
      { 'vite.config.js': pluginsOf('build: { rollupOptions: { plugins: [] } }') },
    ],
    [
      'only the plugins of another plugin',
      vitePackages,
      { 'vite.config.js': pluginsOf('x: [react({ plugins: [] })]') },
    ],
  ])('no clear place: %s', async (_, packages, files) => {
    const app = createApp(packages, files);
    const before = app.contents();
    expect(await app.init()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Nothing was changed[.:] .*(Add it yourself|Use that form)/s),
    });
    expect(app.contents()).toEqual(before);
  });

  it.each([
    [{ vite: '*', vue: '*' }, 'does not use React'],
    [{ next: '^12.0.0', react: '17' }, 'needs next 14 or newer; package.json has ^12.0.0'],
    [{ next: '*', react: '*', '@tanstack/react-query': '~4.1' }, 'needs @tanstack/react-query 5'],
    [{ express: '3.x' }, 'needs express 4'],
  ])('unsupported packages: %j', async (dependencies, message) => {
    const app = createApp([], { 'package.json': JSON.stringify({ dependencies }) });
    const before = app.contents();
    expect(await app.init()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect(app.contents()).toEqual(before);
  });
});

describe('vitrine init changes nothing in an app without a server for the key route', () => {
  it.each([
    ["output: 'export'", nextPackages, { 'next.config.mjs': "export default { output: 'export' };\n" }],
    ['ssr: false', routerPackages, { 'react-router.config.ts': 'export default { ssr: false };\n' }],
    ['Cloudflare Workers', ['hono', 'wrangler'], { 'index.js': hono }],
  ])('%s', async (message, packages, files) => {
    const app = createApp(packages, { 'app/routes.ts': routes, ...files });
    const before = app.contents();
    expect(await app.init()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect(app.contents()).toEqual(before);
  });
});

it('ignores a setting in a comment', async () => {
  const app = createApp(nextPackages, { 'next.config.mjs': "export default {}; // output: 'export'\n" });
  expect(await app.init()).toMatchObject({ exitCode: 0 });
});

it('changes nothing when a folder has the name of a file to create', async () => {
  const app = createApp(['express'], { 'app.js': express, 'vitrine.mjs/mine.js': '' });
  const before = app.contents();
  expect(await app.init()).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('Nothing was changed. vitrine.mjs is not a file.'),
  });
  expect(app.contents()).toEqual(before);
});

it('continues after the missing part was added by hand', async () => {
  const own = "const { embed } = require('./vitrine.mjs');\n";
  const app = createApp(['express'], { 'app.js': `${own}${express}app.use('/api/embed', mine);\n` });
  expect(await app.init()).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(app.cwd, 'vitrine.mjs'))).toBe(true);
});

function pluginsOf(text: string): string {
  return `export default { ${text} };\n`;
}
