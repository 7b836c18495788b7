import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** Scripts and style sheets of the pages, by served name. */
const entryPoints = {
  report: 'reports/page/main.ts',
  'report-style': 'reports/page/report.css',
  console: 'console/app/main.tsx',
  'console-style': 'console/app/console.css',
  'try-out': 'openapi/client/tryOut.ts',
};

/** Files of other packages that are served unchanged. */
const copies = {
  'swagger-ui.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
};

/** Licenses of the bundled and copied packages, which must accompany them. */
const licenses = [
  'echarts/LICENSE',
  'echarts/NOTICE',
  'zrender/LICENSE',
  'swagger-ui-dist/LICENSE',
  'swagger-ui-dist/NOTICE',
  'react/LICENSE',
  'react-dom/LICENSE',
  '@tanstack/react-query/LICENSE',
];

/**
 * Bundles the browser files into a folder, each compressed. Called by the build of the package, and run as a script for
 * a portal from source; an installed portal has the files and needs neither esbuild nor the chart library.
 */
export const bundleBrowserFiles = async (folder: string): Promise<void> => {
  const here = import.meta.url;
  const require = createRequire(here);
  const { outputFiles } = await build({
    absWorkingDir: fileURLToPath(new URL('../', here)),
    entryPoints,
    outdir: folder,
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    // The source of our own packages: nothing has to be built before.
    conditions: ['@vitrine/source'],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    // zod tries eval when it is loaded, which the pages' policy forbids and browsers report.
    banner: { js: 'globalThis.__zod_globalConfig = { jitless: true };' },
  });
  rmSync(folder, { recursive: true, force: true });
  const write = (name: string, content: Uint8Array) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const resolved = (name: string) => {
    const [, dependency = '', file = ''] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(name) ?? [];
    return join(dirname(require.resolve(`${dependency}/package.json`)), file);
  };
  for (const { path, contents } of outputFiles)
    write(`${path.slice(folder.length + 1)}.gz`, gzipSync(contents, { level: 9 }));
  for (const [name, source] of Object.entries(copies))
    write(`${name}.gz`, gzipSync(readFileSync(resolved(source)), { level: 9 }));
  for (const name of licenses)
    write(`licenses/${name.replaceAll('/', '-')}.txt`, readFileSync(resolved(name)));
};

if (import.meta.main) {
  const [, , folder = ''] = process.argv;
  const own = `${folder}.${process.pid}`;
  await bundleBrowserFiles(own);
  // Several processes may bundle at once: the first to finish wins.
  if (existsSync(folder)) rmSync(own, { recursive: true });
  else renameSync(own, folder);
}
