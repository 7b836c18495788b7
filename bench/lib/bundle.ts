import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BuildOptions, BuildResult, Metafile } from 'esbuild';
import { packageFolder } from './machine.ts';

/** esbuild of bench, which the root does not install: loaded at run time, not for type checks. */
const esbuild = (): { build(options: BuildOptions): Promise<BuildResult> } =>
  createRequire(import.meta.url)('esbuild');

const benchFolder = join(import.meta.dirname, '..');

interface Chunk {
  readonly path: string;
  readonly contents: Uint8Array;
  readonly text: string;
}

export interface Bundle {
  /** The chunks of scripts and styles that are loaded at once, minified. */
  readonly files: readonly Chunk[];
  /** The chunks that the code loads later, on demand. */
  readonly later: readonly Chunk[];
  /** Modules that the bundle still imports at run time. */
  readonly externals: readonly string[];
}

export interface BundleOptions {
  /** The entry as source text. */
  readonly source: string;
  readonly external?: readonly string[];
  readonly format?: 'esm' | 'iife';
  readonly platform?: 'browser' | 'node';
  /** Replaces one module's text in the bundle. */
  readonly edit?: { readonly filter: RegExp; readonly change: (text: string) => string };
}

/** One React for all bundles: the root's. */
const alias = () => ({ react: packageFolder('react'), 'react-dom': packageFolder('react-dom') });

/** Bundles and minifies an entry for production, in the same way for all. */
export const bundle = async (options: BundleOptions): Promise<Bundle> => {
  const { source, external = [], format = 'esm', platform = 'browser', edit } = options;
  const { readFile } = await import('node:fs/promises');
  const isPeer = (name: string) => external.includes(name);
  const result = await esbuild().build({
    stdin: { contents: source, resolveDir: benchFolder, loader: 'jsx', sourcefile: 'entry.jsx' },
    outdir: '/bundle',
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format,
    platform,
    target: 'es2022',
    splitting: format === 'esm',
    jsx: 'automatic',
    legalComments: 'none',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: external.flatMap((name) => [name, `${name}/*`]),
    alias: isPeer('react') ? {} : alias(),
    loader: { '.svg': 'dataurl', '.png': 'dataurl', '.woff': 'dataurl', '.woff2': 'dataurl' },
    plugins:
      edit === undefined
        ? []
        : [
            {
              name: 'edit',
              setup: (build) => {
                build.onLoad({ filter: edit.filter }, async ({ path }) => ({
                  contents: edit.change(await readFile(path, 'utf8')),
                  loader: 'js',
                }));
              },
            },
          ],
  });
  const outputs = result.metafile?.outputs ?? {};
  const externals = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter((one) => one.external).map((one) => one.path),
  );
  const files = result.outputFiles ?? [];
  const atOnce = loadedAtOnce(outputs);
  const isAtOnce = ({ path }: Chunk) => [...atOnce].some((name) => path.endsWith(basename(name)));
  return {
    files: files.filter(isAtOnce),
    later: files.filter((file) => !isAtOnce(file)),
    externals: [...new Set(externals)].sort(),
  };
};

/** The entry's chunk, its styles, and all that these import without `import()`. */
const loadedAtOnce = (outputs: Metafile['outputs']): ReadonlySet<string> => {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path, kind, external } of outputs[name]?.imports ?? [])
      if (kind !== 'dynamic-import' && external !== true) visit(path);
  };
  for (const [name, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint?.endsWith('entry.jsx') || name.endsWith('.css')) visit(name);
  }
  return found;
};

export interface Size {
  readonly minified: number;
  readonly gzip: number;
  readonly brotli: number;
}

/** Bytes of some chunks: minified, gzip -9 and brotli 11, each chunk compressed separately, as servers do. */
export const sizeOf = (files: readonly Chunk[]): Size => {
  const sum = (measure: (contents: Uint8Array) => number) =>
    files.reduce((total, { contents }) => total + measure(contents), 0);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  return {
    minified: sum((contents) => contents.length),
    gzip: sum((contents) => gzipSync(contents, { level: 9 }).length),
    brotli: sum((contents) => brotliCompressSync(contents, quality).length),
  };
};
