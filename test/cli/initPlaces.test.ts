import { describe, expect, it } from 'vitest';
import { detectKind } from '../../src/cli/lib/commands/init/kinds.ts';
import { planInit } from '../../src/cli/lib/commands/init/planInit.ts';
import { openProject } from '../../src/cli/lib/commands/init/project.ts';
import { createApp } from './support/createApp.ts';

/** What `vitrine init` would write to a file of an app. */
const planOf = ({ cwd }: ReturnType<typeof createApp>) => {
  const project = openProject(cwd);
  const changes = planInit(project, detectKind(project), '0.1.0');
  return (file: string) => changes.find((change) => change.file === file)?.after ?? '';
};

const express = "const express = require('express');\nconst app = express();\n";
const vitePlugins = (line: string): string => `export default {\n${line}\n  plugins: [react()],\n};\n`;

describe('vitrine init finds', () => {
  it.each([
    ['const app: express.Express = express();\n', 'app'],
    ['export const web = express()\n', 'web'],
    ['/*\nconst old = express();\n*/\n// const older = express();\nconst app = express();\n', 'app'],
    ['const createServer = () => {\n  const server = express();\n  return server;\n};\n', '  server'],
  ])('the app in %j', (text, name) => {
    const app = createApp(['express'], { 'src/index.ts': text, 'tsconfig.json': '{}' });
    expect(planOf(app)('src/index.ts')).toContain(`\n${name}.use('/api/embed', embed);\n`);
  });

  it('the server that package.json names', () => {
    const manifest = { scripts: { start: 'node ./lib/main.js' }, dependencies: { express: '5' } };
    const app = createApp([], { 'package.json': JSON.stringify(manifest), 'lib/main.js': express });
    expect(planOf(app)('lib/main.js')).toContain("app.use('/api/embed', embed);");
  });

  it.each([
    '#!/usr/bin/env node\n',
    "'use strict';\n",
    "#!/usr/bin/env node\n// @ts-check\n\n'use strict'\n",
  ])('the place of an import below %j', (start) => {
    const app = createApp(['express'], { 'app.js': start + express });
    expect(planOf(app)('app.js')).toContain(`${start}const { embed, page } = require('./vitrine.mjs');\n`);
  });

  it.each([
    '  // plugins: [old()],',
    '  css: { postcss: { plugins: [] } },',
    "  build: { rollupOptions: { plugins: [] } }, // it's",
  ])('the plugins of a Vite app below %j', (line) => {
    const app = createApp(['vite', 'react'], { 'vite.config.js': vitePlugins(line) });
    expect(planOf(app)('vite.config.js')).toContain(`${line}\n  plugins: [vitrine(), react()]`);
  });

  it.each([
    ['pages/index.js', 'app/vitrine/'],
    ['src/pages/index.js', 'src/app/vitrine/'],
    ['app/(shop)/layout.js', 'app/vitrine/'],
  ])('no layout for the page of a Next.js app with only %s, and writes one', (file, folder) => {
    const app = createApp(['next', 'react'], { [file]: '' });
    expect(planOf(app)(`${folder}layout.jsx`)).toContain('<body>{children}</body>');
    expect(planOf(app)(`${folder}page.jsx`)).toContain('<EmbeddedReport');
  });

  it('a package.json with a byte order mark', () => {
    const app = createApp([], {
      'package.json': '\uFEFF{"dependencies":{"express":"5"}}',
      'app.js': express,
    });
    expect(planOf(app)('package.json')).toContain('"vitrine:portal"');
  });

  it('the line endings of package.json, and paths that Git already ignores', () => {
    const app = createApp([], {
      'package.json': '{\r\n  "dependencies": { "express": "5" }\r\n}\r\n',
      'app.js': express,
      '.gitignore': '.env*\r\n',
    });
    expect(planOf(app)('package.json').replaceAll('\r\n', '')).not.toContain('\n');
    expect(planOf(app)('.gitignore')).toBe('.env*\r\n.vitrine/\r\n');
  });

  it.each([
    [
      'next',
      { dev: 'next dev -p 3456' },
      "module.exports = { basePath: '/shop' };",
      'http://localhost:3456/shop/vitrine',
    ],
    [
      'vite',
      { dev: 'vite --port 22600' },
      vitePlugins("base: '/shop/', server: { port: 8123 },"),
      'http://localhost:22600/shop/vitrine.html',
    ],
    ['vite', { dev: 'vite' }, vitePlugins('server: { port: 8123 },'), 'http://localhost:8123/vitrine.html'],
  ])('the address of a %s app with %j', (name, scripts, ...[text, address]) => {
    const app = createApp([], {
      'package.json': JSON.stringify({ scripts, dependencies: { [name]: '*', react: '*' } }),
      [`${name}.config.js`]: text,
    });
    const project = openProject(app.cwd);
    expect(detectKind(project).address(project)).toBe(address);
    if (name === 'next') expect(planOf(app)('app/vitrine/page.jsx')).toContain('endpoint="/shop/api/embed"');
  });
});
