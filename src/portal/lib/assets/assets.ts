import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { stripTypes } from './stripTypes.ts';

/** A file the browser loads. */
export interface Asset {
  readonly contentType: string;
  readonly body: Buffer;
  readonly gzipped: Buffer;
}

/** The files of the report pages and of the console. */
export interface Assets {
  /** Path prefix that changes with the content, so that browsers may keep the files for ever. */
  readonly prefix: string;
  /** The file at a path below the prefix. */
  get(path: string): Asset | undefined;
  /** Address of a browser program by its path without extension, `report/client/main`. */
  program(name: string): string;
  /** Compresses every file now instead of on its first request. */
  compress(): void;
  /** Addresses of every module of a folder pair, to be loaded at once instead of one after the other. */
  modules(folders: readonly string[]): readonly string[];
}

const here = import.meta.url;
/** From source the modules are TypeScript, from the built package JavaScript, in the same places. */
const extension = here.endsWith('.ts') ? '.ts' : '.js';
const root = new URL('../', here);

/** Folders a browser may read from, and no others. */
const folders = ['ui', 'report/client', 'report/shared', 'console/client'] as const;
const chartLibrary = 'echarts.mjs';

const readModule = (url: URL): Buffer => {
  const text = readFileSync(url, 'utf8');
  return Buffer.from(extension === '.ts' ? stripTypes(text) : text);
};

const readFolder = (folder: string): [string, Omit<Asset, 'gzipped'>][] =>
  readdirSync(fileURLToPath(new URL(`${folder}/`, root))).flatMap((name) => {
    const url = new URL(`${folder}/${name}`, root);
    const path = `${folder}/${name}`;
    if (name.endsWith('.css'))
      return [[path, { contentType: 'text/css; charset=utf-8', body: readFileSync(url) }]];
    if (name.endsWith(extension) && !name.endsWith('.d.ts'))
      return [[path, { contentType: 'text/javascript; charset=utf-8', body: readModule(url) }]];
    return [];
  });

/** The build with the common charts has two thirds of the whole one's bytes, but no ES module: one line makes it one. */
const readChartLibrary = (): Omit<Asset, 'gzipped'> => {
  const build = readFileSync(
    fileURLToPath(import.meta.resolve('echarts/dist/echarts.common.min.js')),
    'utf8',
  );
  return {
    contentType: 'text/javascript; charset=utf-8',
    body: Buffer.from(`${build}\nexport const { init } = globalThis.echarts;\n`),
  };
};

const withGzip = (asset: Omit<Asset, 'gzipped'>): Asset => {
  let gzipped: Buffer | undefined;
  return {
    ...asset,
    get gzipped() {
      gzipped ??= gzipSync(asset.body);
      return gzipped;
    },
  };
};

/** Reads the browser files once. */
const loadAssets = (): Assets => {
  const files = new Map<string, Asset>();
  for (const folder of folders)
    for (const [path, asset] of readFolder(folder)) files.set(path, withGzip(asset));
  files.set(chartLibrary, withGzip(readChartLibrary()));
  const hash = createHash('sha256');
  for (const [path, asset] of files) hash.update(path).update(asset.body);
  const prefix = `/_assets/${hash.digest('hex').slice(0, 12)}/`;
  return {
    prefix,
    get: (path) => files.get(path),
    compress: () => {
      for (const asset of files.values()) void asset.gzipped;
    },
    program: (name) => `${prefix}${name}${extension}`,
    modules: (wanted) =>
      [...files.keys()]
        .filter((path) => path.endsWith(extension) && wanted.some((folder) => path.startsWith(`${folder}/`)))
        .map((path) => prefix + path),
  };
};

let loaded: Assets | undefined;

/** The browser files, read on the first use and kept for every portal of this process. */
export const assets = (): Assets => {
  loaded ??= loadAssets();
  return loaded;
};
