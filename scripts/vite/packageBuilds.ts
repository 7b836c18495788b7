import { globSync, readFileSync } from 'node:fs';
import type { EnvironmentOptions, UserConfig } from 'vite';
import { type PackageFolder, packageFolders } from '../importDirections.ts';
import { fromRoot } from './fromRoot.ts';

/** Entry points of packages with others than `index.ts`: those of their `exports` and `bin`. */
const entryPoints: Partial<Record<PackageFolder, Record<string, string>>> = {
  contract: {
    index: 'index.ts',
    'service/index': 'service/index.ts',
    'service/schemas': 'service/schemas.ts',
    requireNode: 'requireNode.ts',
  },
  react: {
    index: 'index.ts',
    'index.server': 'index.server.ts',
    'index.development': 'index.development.ts',
    'testing/index': 'testing/index.ts',
    'devtools/index': 'devtools/index.ts',
    ...Object.fromEntries(
      globSync('labels/translations/*.ts', { cwd: fromRoot('src/react/lib') }).map((file) => [
        file.replace(/\.ts$/, ''),
        file,
      ]),
    ),
  },
  server: { index: 'index.ts', internal: 'internal.ts' },
  actions: { index: 'index.ts', 'inbox/sqlite/worker': 'inbox/sqlite/worker.ts' },
  portal: { index: 'index.ts', 'testing/index': 'testing/index.ts' },
  cli: { bin: 'bin.ts' },
  'create-vitrine': { bin: 'bin.ts' },
};

const isExternalTo = (name: string) => {
  const manifest = JSON.parse(readFileSync(fromRoot(`src/${name}/package.json`), 'utf8'));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  return (id: string) =>
    id.startsWith('node:') ||
    names.some((dependency) => id === dependency || id.startsWith(`${dependency}/`));
};

/** Whether a package checks the Node version on import. The command line does so itself. */
const needsNode = (name: string): boolean => ['portal-client', 'server', 'actions', 'portal'].includes(name);

/**
 * One library build: one ES module per source file, so that `'use client'` stays on its files. A sibling that is not a
 * dependency of the package (the contract, for `react`) is compiled into it.
 */
const libraryBuild = (name: string, entries: Record<string, string>): EnvironmentOptions => ({
  consumer: 'client',
  resolve: { conditions: ['@vitrine/source'] },
  build: {
    outDir: `src/${name}/dist`,
    emptyOutDir: true,
    sourcemap: true,
    minify: false,
    target: 'es2023',
    lib: {
      entry: Object.fromEntries(
        Object.entries(entries).map(([key, file]) => [key, fromRoot(`src/${name}/lib/${file}`)]),
      ),
      formats: ['es'],
    },
    rolldownOptions: {
      external: isExternalTo(name),
      output: {
        banner: ({ isEntry }) =>
          isEntry && needsNode(name) ? "import '@vitrine/contract/require-node';" : '',
        // A command that calls the portal loads its client in four fifths of the time from one file.
        preserveModules: name !== 'portal-client',
        preserveModulesRoot: fromRoot(`src/${name}/lib`),
        entryFileNames: '[name].js',
      },
      onwarn: (warning, next) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') next(warning);
      },
    },
  },
});

/** Vite's environments, one per package; their names cannot contain a dash. */
const builds = packageFolders.map((name) => {
  const entries = entryPoints[name] ?? { index: 'index.ts' };
  return [name.replaceAll('-', '_'), libraryBuild(name, entries)] as const;
});

/** Configuration of `npm run build`: builds every package in turn, in dependency order. */
export const packageBuilds: UserConfig = {
  environments: Object.fromEntries(builds),
  builder: {
    buildApp: async (builder) => {
      for (const [name] of builds) {
        const environment = builder.environments[name];
        if (environment) await builder.build(environment);
      }
    },
  },
};
