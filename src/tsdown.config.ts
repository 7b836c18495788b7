/**
 * `npm run build`: the packages as ES modules, from their sources, and their declarations, from those that `tsc -b src` writes.
 * Each has its dependencies and peers as imports and a copy of its development dependencies.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { defineConfig, type Rolldown, type UserConfig } from 'tsdown';
import { copyStarters } from '../scripts/copyStarters.ts';
import { bundleBrowserFiles } from './portal/lib/assets/bundleBrowserFiles.ts';

/** The built files that a package's manifest names, without folder and extension. */
const namedFiles = (folder: string, extension: '.js' | '.d.ts'): string[] => {
  const { exports = {}, bin = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const paths = JSON.stringify([exports, bin]).matchAll(/"\.\/dist\/([^".]+(?:\.[a-z]+)?)(\.d\.ts|\.js)"/g);
  const names = [...paths].flatMap(([, name = '', ending]) => (ending === extension ? [name] : []));
  const withoutStars = names.flatMap((name) =>
    name.includes('*')
      ? globSync(`lib/${name}.ts`, { cwd: folder }).map((file) => file.slice('lib/'.length, -'.ts'.length))
      : name,
  );
  return [...new Set(withoutStars)];
};

/** Modules of `require` in Node, which loads ES modules. With declarations of their own, tools know what they are. */
const forRequire: Rolldown.Plugin = {
  name: 'for-require',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || !file.isEntry || file.exports.length === 0) continue;
      const source = `module.exports = require('./${basename(file.fileName)}');\n`;
      this.emitFile({ type: 'asset', fileName: file.fileName.replace(/js$/, 'cjs'), source });
    }
  },
};

/** Vite has declarations of ES modules only, which those of CommonJS import in this way. */
const typesOfVite: Rolldown.Plugin = {
  name: 'types-of-vite',
  renderChunk: (code) =>
    code.replace(
      /^import (\{.+\}) from "vite";$/m,
      'import type $1 from "vite" with { "resolution-mode": "import" };',
    ),
};

const common = (folder: string): UserConfig => ({
  cwd: folder,
  format: 'esm',
  target: 'es2023',
  hash: false,
  fixedExtension: false,
  logLevel: 'warn',
  checks: { bundlerTimings: false, moduleLevelDirective: false },
});

const scripts = (folder: string, more: UserConfig = {}): UserConfig => ({
  ...common(folder),
  entry: Object.fromEntries(namedFiles(folder, '.js').map((name) => [name, `lib/${name}.ts`])),
  sourcemap: true,
  outputOptions: { sourcemapExcludeSources: true },
  dts: false,
  inputOptions: { resolve: { conditionNames: ['@vitrine/source', 'module', 'import', 'node', 'default'] } },
  plugins: [forRequire],
  ...more,
});

const declarations = (folder: string, extension: 'd.ts' | 'd.cts'): UserConfig => ({
  ...common(folder),
  entry: Object.fromEntries(namedFiles(folder, '.d.ts').map((name) => [name, `./.types/${name}.d.ts`])),
  clean: false,
  deps: { dts: { neverBundle: ['zod', 'kysely'] } },
  treeshake: { moduleSideEffects: false },
  tsconfig: '../tsconfig.json',
  dts: { dtsInput: true, emitDtsOnly: true, sourcemap: false },
  plugins: extension === 'd.cts' ? [typesOfVite] : [],
  outExtensions: () => ({ dts: `.${extension}` }),
  outputOptions: { entryFileNames: `[name].${extension}`, minifyInternalExports: false },
});

const differences: Readonly<Record<string, UserConfig>> = {
  // A file per source file, so that `'use client'` stays on the files that have it.
  react: { unbundle: true, root: 'lib', platform: 'neutral', copy: ['lib/styles.css', 'lib/styles.d.cts'] },
  contract: { platform: 'neutral' },
  portal: {
    copy: ['@hono/node-server', 'csv-stringify', 'hono', 'kysely', 'yaml', 'zod'].map((name) => ({
      from: `../../node_modules/${name}/LICENSE`,
      to: 'dist/licenses',
      rename: `${name.replace('/', '-')}.txt`,
    })),
    hooks: { 'build:done': () => bundleBrowserFiles(join(import.meta.dirname, 'portal/dist/browser')) },
  },
  'create-vitrine': { hooks: { 'build:done': () => copyStarters('src/create-vitrine/dist/starters') } },
};

export default defineConfig(
  globSync('*/package.json', { cwd: import.meta.dirname }).flatMap((manifest) => {
    const folder = join(import.meta.dirname, dirname(manifest));
    const isCommand = namedFiles(folder, '.d.ts').length === 0;
    return [
      scripts(folder, differences[basename(folder)]),
      ...(isCommand ? [] : [declarations(folder, 'd.ts'), declarations(folder, 'd.cts')]),
    ];
  }),
);
