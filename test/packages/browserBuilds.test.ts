import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { sharedRegistry } from './harness/versions.ts';

/** Words that occur in server code and must not reach a browser. */
const serverMarkers = [
  'CreateEncryptedKey',
  'Svc.TenantId',
  'passPhrase',
  'ApiKey ',
  'VITRINE_API_KEY',
  'VITRINE_PASSPHRASE',
  'node:',
  'undici',
  'better-sqlite3',
  'ItemLinks',
];

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer({
    packages: ['contract', 'react', 'portal-client', 'server', 'express', 'portal'],
    registry: sharedRegistry,
  });
  // Control: a package like ours that does not exclude browsers.
  const folder = join(consumer.folder, 'node_modules/careless');
  mkdirSync(folder);
  const manifest = { name: 'careless', type: 'module', exports: { '.': { default: './index.js' } } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(folder, 'index.js'),
    "export const mint = (fetch, passPhrase) => fetch('/api/services/app/ItemLinks/CreateEncryptedKey', { passPhrase });",
  );
});
afterAll(() => consumer?.remove());

/** Builds a browser app that keeps every export of the packages, and returns its JavaScript. */
const bundle = async (...packages: readonly string[]): Promise<string> => bundleFor('production', packages);

const bundleFor = async (
  condition: 'production' | 'development',
  packages: readonly string[],
): Promise<string> => {
  const imports = packages.map((name, index) => `import * as package${index} from '${name}';`);
  const names = packages.map((_, index) => `package${index}`);
  return buildApp(condition, packages, [...imports, `globalThis.everything = [${names.join(', ')}];`]);
};

/** Builds a browser app that calls `require` for a package. */
const bundleByRequire = (name: string): Promise<string> =>
  buildApp('production', ['require', name], [`globalThis.everything = require('${name}');`]);

const buildApp = async (
  condition: 'production' | 'development',
  nameParts: readonly string[],
  lines: readonly string[],
): Promise<string> => {
  const root = join(consumer.folder, [condition, ...nameParts].join('+').replaceAll(/[@/]/g, '_'));
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, 'index.html'), '<script type="module" src="./main.js"></script>');
  writeFileSync(join(root, 'main.js'), `${lines.join('\n')}\n`);
  const resolve = { conditions: ['module', 'browser', condition] };
  await build({ root, configFile: false, logLevel: 'silent', resolve, build: { minify: false } });
  return globSync(join(root, 'dist/**/*.js'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
};

const markersIn = (code: string) => serverMarkers.filter((marker) => code.includes(marker));

describe('a browser app with every export of @vitrine/react', () => {
  it('contains no server code', async () => {
    const code = await bundle('@vitrine/react', '@vitrine/react/testing');
    expect(code).toContain('EmbeddedReport');
    expect(markersIn(code)).toEqual([]);
  });

  it('contains the messages for developers only under the condition `development`', async () => {
    const [production, development] = [
      await bundle('@vitrine/react'),
      await bundleFor('development', ['@vitrine/react']),
    ];
    const texts = ['[vitrine]', 'Likely cause', 'What to do', 'vitrine doctor'];
    expect(texts.filter((text) => production.includes(text))).toEqual([]);
    expect(production).not.toContain('Vitrine devtools');
    expect(texts.filter((text) => development.includes(text))).toEqual(texts);
    expect(development.length - production.length).toBeGreaterThan(8000);
  });

  it('contains the labels of a language only if the app imports them', async () => {
    const files = globSync(join(consumer.folder, 'node_modules/@vitrine/react/dist/labels/*.js'));
    expect(files).toHaveLength(12);
    const titles = await Promise.all(
      files.map(async (file): Promise<string> => (await import(file)).labels.report_unavailable.title),
    );
    const titlesIn = (code: string) => titles.filter((title) => code.includes(title));
    expect(titlesIn(await bundle('@vitrine/react'))).toEqual([]);
    expect(titlesIn(await bundle('@vitrine/react', '@vitrine/react/labels/he'))).toEqual(['הדוח אינו זמין']);
  });

  it('contains no debugging code, and no path of the build machine', async () => {
    const files = globSync(join(consumer.folder, 'node_modules/@vitrine/*/dist/**/*.js'));
    expect(files.length).toBeGreaterThan(20);
    const leaks = files.filter((file) => /jsxDEV|_jsxFileName/.test(readFileSync(file, 'utf8')));
    expect(leaks).toEqual([]);
    const here = files.filter((file) => readFileSync(file, 'utf8').includes(process.cwd()));
    expect(here).toEqual([]);
  });

  it('control: server code would be found', async () => {
    expect(markersIn(await bundle('careless'))).toEqual(['CreateEncryptedKey', 'passPhrase', 'ItemLinks']);
  });
});

describe('@vitrine/react in a server-rendered app', () => {
  it("has 'use client' on the entries for browsers and on every file that needs React in the browser, and on no other file", () => {
    const dist = join(consumer.folder, 'node_modules/@vitrine/react/dist');
    const entries = ['index.development.js', 'devtools/index.js', 'picker/index.js', 'testing/index.js'];
    const kinds = globSync('**/*.js', { cwd: dist }).map((file) => {
      const code = readFileSync(join(dist, file), 'utf8');
      const needsIt =
        entries.includes(file) ||
        /\b(use(Context|Effect|Memo|Callback|State|Ref)|createContext|forwardRef)\(/.test(code);
      return { file, needsIt, hasIt: /^['"]use client/.test(code) };
    });
    expect(kinds.filter(({ needsIt }) => needsIt).length).toBeGreaterThan(entries.length + 4);
    for (const { file, needsIt, hasIt } of kinds) expect([file, hasIt]).toEqual([file, needsIt]);
  });

  it('lets a server component request a key and reference the component, as its bundler does', async () => {
    cpSync('test/packages/apps/server-components', consumer.folder, { recursive: true });
    expect(
      JSON.parse(
        await consumer.bin('node', '--conditions=react-server', '--import=./clientReferences.js', 'page.js'),
      ),
    ).toEqual({
      queryKey: ['vitrine', '/api/embed', '', 1042],
      component: 'EmbeddedReport of EmbeddedReport.js',
    });
  });
});

/** A file without its docstrings, whose examples may import anything. */
const codeOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\//g, '');

/** The packages that the declarations of an installed package import. */
const importedTypes = (name: string): string[] => {
  const files = globSync(join(consumer.folder, 'node_modules', name, 'dist/**/*.d.{ts,cts}'));
  expect(files.length).toBeGreaterThan(1);
  const named = files.flatMap((file) => [
    ...codeOf(file).matchAll(/(?:from |import |import\()["']((?:@[^/"']+\/)?[^./"'][^/"']*)/g),
  ]);
  return [...new Set(named.map(([, specifier = '']) => specifier))].filter((one) => !one.startsWith('node:'));
};

describe('the declarations', () => {
  it.each(['contract', 'react', 'portal-client', 'server', 'express', 'portal'])(
    'of @vitrine/%s import only its dependencies and peers, so that a strict package manager finds every type',
    (folder) => {
      const name = `@vitrine/${folder}`;
      const { dependencies, peerDependencies } = JSON.parse(
        readFileSync(join(consumer.folder, 'node_modules', name, 'package.json'), 'utf8'),
      );
      const allowed = Object.keys({ ...dependencies, ...peerDependencies });
      expect(importedTypes(name).filter((one) => !allowed.includes(one))).toEqual([]);
    },
  );

  it('exist next to every script that an app can import', () => {
    const scripts = ['contract', 'react', 'portal-client', 'server', 'express', 'portal'].flatMap((folder) =>
      globSync(join(consumer.folder, `node_modules/@vitrine/${folder}/dist/**/*.cjs`)),
    );
    expect(scripts.length).toBeGreaterThan(20);
    // `index.development` has the types of `index`.
    const named = scripts.filter((file) => !file.endsWith('index.development.cjs'));
    const declared = named.filter((file) =>
      ['.d.ts', '.d.cts'].every((ending) => existsSync(file.replace(/\.cjs$/, ending))),
    );
    expect(declared).toEqual(named);
  });

  it('control: name a package that they import', () => {
    expect(importedTypes('@vitrine/react')).toContain('@tanstack/react-query');
  });
});

const serverPackages = [
  '@vitrine/server/actions',
  '@vitrine/express',
  '@vitrine/portal',
  '@vitrine/portal/testing',
  '@vitrine/portal-client',
  '@vitrine/server',
];

describe('a browser app that uses a server package', () => {
  it.each(serverPackages)('fails to build with `import` of %s', async (name) => {
    await expect(bundle(name)).rejects.toThrow('is not exported under the conditions');
  });

  it.each(serverPackages)('fails to build with `require` of %s', async (name) => {
    await expect(bundleByRequire(name)).rejects.toThrow('is not exported under the conditions');
  });

  it('control: builds with `require` of @vitrine/react', async () => {
    expect(await bundleByRequire('@vitrine/react')).toContain('EmbeddedReport');
  });
});
