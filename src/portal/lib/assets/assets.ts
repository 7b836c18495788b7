import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { browserFolder } from './browserFolder.ts';

/** A file for browsers. */
export interface Asset {
  readonly contentType: string;
  readonly gzipped: Buffer;
}

/** The files of the report pages and of the console. */
export interface Assets {
  /** Path prefix that changes with the content, so that browsers may cache the files forever. */
  readonly prefix: string;
  /** The file at a path below the prefix. */
  get(name: string): Asset | undefined;
  /** Address of a file, `report.js`. */
  url(name: string): string;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Reads the browser files once. */
const loadAssets = (): Assets => {
  const folder = browserFolder();
  const files = new Map<string, Asset>();
  const hash = createHash('sha256');
  for (const name of readdirSync(folder)
    .filter((name) => name.endsWith('.gz'))
    .sort()) {
    const served = name.slice(0, -'.gz'.length);
    const gzipped = readFileSync(join(folder, name));
    files.set(served, { contentType: contentTypes[extname(served)] ?? 'application/octet-stream', gzipped });
    hash.update(served).update(gzipped);
  }
  const prefix = `/_assets/${hash.digest('hex').slice(0, 12)}/`;
  return { prefix, get: (name) => files.get(name), url: (name) => prefix + name };
};

let loaded: Assets | undefined;

/** The browser files, read on first use and shared by all portals of this process. */
export const assets = (): Assets => {
  loaded ??= loadAssets();
  return loaded;
};

/** A file without compression, for the rare client that does not accept gzip. */
export const uncompressed = ({ gzipped }: Asset): Buffer => gunzipSync(gzipped);
