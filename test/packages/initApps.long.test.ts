import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from '../support/launchBrowser.ts';
import { createTerminal, type Terminal } from './harness/createTerminal.ts';
import { versionsOf } from './harness/versions.ts';

const registry = inject('registry');
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

let folder = '';
let terminal: Terminal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-init-'));
  writeFileSync(join(folder, '.npmrc'), `registry=${registry}\nfund=false\naudit=false\n`);
  terminal = createTerminal(folder);
});
afterEach(() => {
  terminal.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

const react = versionsOf('react', 'react-dom', '@types/react', '@types/react-dom', 'typescript', 'vite');
const reactRouter = '8.4.0';

/** Writes an app as in the documentation of its framework, because `npm create` downloads from elsewhere. */
const write = (app: string, dev: string, dependencies: Readonly<Record<string, string>>) => async () => {
  cpSync(`test/packages/apps/fresh/${app}`, folder, { recursive: true });
  // The starter has the rest from the documentation of React Router.
  const rest = app === 'react-router' ? ['app/root.tsx', 'tsconfig.json', 'vite.config.ts'] : [];
  for (const file of rest) cpSync(join('examples', app, file), join(folder, file));
  const type = app === 'express' ? 'commonjs' : 'module';
  const file = join(folder, 'package.json');
  const own = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const manifest = { name: 'fresh', private: true, type, scripts: { dev }, dependencies, ...own };
  writeFileSync(file, JSON.stringify(manifest, null, 2));
};

/** Creates an app with the generator of its framework, which requires its own folder. */
const generate = async (command: string): Promise<void> => {
  await terminal.run(`npx --yes ${command}`);
  cpSync(join(folder, 'made'), folder, { recursive: true });
  rmSync(join(folder, 'made'), { recursive: true });
};

const createVite = (template: string) => () =>
  generate(`create-vite@9.3.0 made --template ${template} --no-interactive`);

/** An app of Vite for another package manager, which is installed beside it. */
const managed = (tool: string, files: Readonly<Record<string, string>>) => async () => {
  await createVite('react-ts')();
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  await terminal.run(`npm install --prefix tools ${tool}`);
};
const withTools = 'export PATH="$PWD/tools/node_modules/.bin:$PATH" && ';

/** Changes a file of the app, as its author does. */
const edit = (file: string, change: (code: string) => string): void =>
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));

const vite = {
  build: 'npm run build',
  dev: 'npm run dev -- --port 0',
  path: '/vitrine.html',
  needsPortal: false,
};

/** Yarn keeps the addresses of packages in its global folder, and the registry has another port in each run. */
const withYarn = (nodeLinker: string) => ({
  ...vite,
  create: managed('@yarnpkg/cli-dist@4.18.1', {
    'yarn.lock': '',
    '.yarnrc.yml': [
      `nodeLinker: ${nodeLinker}`,
      `npmRegistryServer: ${registry}`,
      'unsafeHttpWhitelist: [localhost, 127.0.0.1]',
      'globalFolder: .yarn-global',
      'enableImmutableInstalls: false',
      'enableTelemetry: false',
      'npmMinimalAgeGate: 0',
    ].join('\n'),
  }),
  shell: withTools,
  // A later one has an optional dependency that a registry may not carry.
  install: `npm pkg set devDependencies.vite=${react['vite']} && yarn install`,
  dev: 'yarn dev --port 0',
});

const apps: readonly App[] = [
  {
    title: 'Vite',
    create: createVite('react-ts'),
    ...vite,
  },
  { title: 'Vite with JavaScript', create: createVite('react'), ...vite },
  { title: 'Vite with the React Compiler', create: createVite('react-compiler-ts'), ...vite },
  {
    title: 'Vite with pnpm',
    create: managed('pnpm@12.21.0', { 'pnpm-workspace.yaml': 'minimumReleaseAge: 0\n' }),
    ...vite,
    shell: withTools,
    install: 'pnpm install --ignore-scripts',
  },
  { title: 'Vite with Yarn', ...withYarn('node-modules'), build: 'yarn build' },
  // TypeScript 7 finds no package of Plug'n'Play.
  { title: "Vite with Yarn's Plug'n'Play", ...withYarn('pnp'), build: 'yarn vite build' },
  {
    title: 'Nx workspace with a Vite',
    create: write('nx', '', { '@vitejs/plugin-react': '6.3.0', ...react }),
    ...vite,
    shell: 'cd apps/shop && ',
    build: 'npx tsc -p . && npx vite build',
    dev: 'npx vite --port 0',
  },
  {
    title: 'Next.js',
    create: () =>
      generate(
        'create-next-app@16.4.3 made --yes --ts --app --no-tailwind --no-eslint --no-src-dir --use-npm --skip-install --disable-git',
      ),
    dev: 'npm run dev -- --port 0',
    path: '/vitrine',
    needsPortal: true,
  },
  {
    title: 'React Router',
    paste: (lines: string) => {
      const [importLine = '', ...routes] = lines.split('\n');
      edit('app/routes.ts', (code) => `${importLine}\n${code.replace('[', `[${routes.join('\n')}`)}`);
    },
    create: write('react-router', 'react-router dev', {
      '@react-router/dev': reactRouter,
      '@react-router/node': reactRouter,
      '@react-router/serve': reactRouter,
      'react-router': reactRouter,
      isbot: '5.2.3',
      ...react,
      ...versionsOf('@types/node'),
    }),
    dev: 'npm run dev -- --port 0',
    path: '/vitrine',
    needsPortal: true,
  },
  {
    title: 'Express',
    paste: (lines: string) => edit('server.js', (code) => code.replace('\n\n', `\n${lines}\n\n`)),
    create: write('express', 'node server.js', versionsOf('express')),
    dev: 'npm run dev',
    path: '',
    needsPortal: true,
  },
  {
    title: 'Nest',
    create: () => generate('@nestjs/cli@12.0.8 new made --skip-git --package-manager npm --skip-install'),
    paste: (lines: string) => {
      const [importLine = '', use = ''] = lines.split('\n');
      edit('src/main.ts', (code) =>
        `${importLine}\n${code}`.replace(
          /await app\.listen\(.*\);/,
          `${use}\n  await app.listen(0, 'localhost');\n  console.log(\`http://localhost:\${app.getHttpServer().address().port}\`);`,
        ),
      );
    },
    build: 'npm run build',
    dev: 'npm run start',
    path: '',
    needsPortal: true,
  },
  {
    title: 'Hono',
    paste: (lines: string) =>
      edit('src/index.ts', (code) => code.replace('new Hono();\n', `new Hono();\n${lines}\n`)),
    create: write('hono', 'tsx src/index.ts', {
      ...versionsOf('hono', '@hono/node-server', '@types/node', 'typescript'),
      tsx: '4.23.15',
    }),
    dev: 'npm run dev',
    path: '',
    needsPortal: true,
  },
];

interface App {
  readonly title: string;
  readonly create: () => Promise<void>;
  /** Adds the lines that `vitrine init` shows. */
  readonly paste?: (lines: string) => void;
  /** Before each command. */
  readonly shell?: string;
  /** Default: with npm. */
  readonly install?: string;
  /** Default: the compiler of TypeScript. */
  readonly build?: string;
  readonly dev: string;
  readonly path: string;
  readonly needsPortal: boolean;
}

describe.each(apps)('a fresh $title app', (app) => {
  const { title, create, paste, shell = '', install, build, dev, path, needsPortal } = app;
  it('shows a report after vitrine init without another step', { timeout: 600_000 }, async () => {
    await create();
    await terminal.run(shell + (install ?? 'npm install --ignore-scripts'));
    const said = await terminal.run(`${shell}npx --yes vitrine init --yes`);
    if (path === '/vitrine.html') expect(said).toMatch(/Open http:\/\/localhost:\d+\/vitrine\.html/);
    const [, lines = ''] = /Add to .*:\r?\n\r?\n([^]*?)\r?\n\r?\n1\. /.exec(said) ?? [];
    paste?.(lines.replaceAll(/^ {2}/gm, ''));
    if (needsPortal) {
      await terminal.start('npx vitrine portal --write-env .env.local --port auto', /Ctrl-C/);
      expect(existsSync(join(folder, '.env.local'))).toBe(true);
    }
    const hasTypes = existsSync(join(folder, 'tsconfig.json')) && title !== 'Next.js';
    if (build !== undefined || hasTypes) await terminal.run(shell + (build ?? 'npx tsc -b'));
    const origin = await terminal.start(shell + dev, /http:\/\/localhost:[1-9]\d*/);
    if (path === '') {
      const answer = await fetch(`${origin}/api/embed/keys`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-vitrine-request': '1' },
        body: '{"itemId":1042}',
      });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ itemId: 1042 })]);
      return;
    }
    const page = await browser.newPage();
    await page.goto(origin + path, { timeout: 120_000 });
    const report = page.frameLocator('iframe[title="Sales by region"]');
    const heading = report.getByRole('heading', { name: 'Sales by region' });
    await heading.waitFor({ timeout: 120_000 });
    expect(await heading.isVisible()).toBe(true);
    await page.close();
  });
});
