import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip } from '../http/acceptsGzip.ts';
import { emptyReply, type PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';

/** A file for browsers. */
interface Asset {
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

const here = import.meta.url;
const root = fileURLToPath(new URL('../', here));

/** Everything that decides what the browser files are, from `lib`: the pages share code with the server and with other packages. */
const sources = ['.', '../../contract/lib', '../../react/lib'];

const contentHash = (): string => {
  const hash = createHash('sha256').update(readFileSync(join(root, '../package.json')));
  for (const folder of sources)
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (extname(entry) !== '') hash.update(entry).update(readFileSync(join(root, folder, entry)));
  return hash.digest('hex').slice(0, 16);
};

/**
 * Folder of the browser files: next to the code in the package. From source, another process bundles them into
 * `node_modules/.cache`, once for each content.
 */
export const browserFolder = (): string => {
  if (!here.endsWith('.ts')) return fileURLToPath(new URL('browser', here));
  const folder = join(root, '../../../node_modules/.cache/vitrine-portal', contentHash());
  if (existsSync(folder)) return folder;
  const script = fileURLToPath(new URL('bundleBrowserFiles.ts', here));
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The browser files of the portal could not be bundled. ${stderr}`);
  return folder;
};

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const loadAssets = (): Assets => {
  const folder = browserFolder();
  const files = new Map<string, Asset>();
  const hash = createHash('sha256');
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.gz'))
    .sort()) {
    const served = name.slice(0, -'.gz'.length);
    const gzipped = readFileSync(join(folder, name));
    files.set(served, { contentType: contentTypes[extname(served)] ?? 'application/octet-stream', gzipped });
    hash.update(served).update(gzipped);
  }
  const prefix = `/_assets/${hash.digest('hex').slice(0, 12)}/`;
  return { prefix, get: (name) => files.get(name), url: (name) => prefix + name };
};

/** Returns a function that reads the browser files when it is first called. */
export const createAssets = (): (() => Assets) => {
  let loaded: Assets | undefined;
  return () => (loaded ??= loadAssets());
};

/** Answers a request for a browser file; the rare client that does not accept gzip gets it without. */
export const answerAsset = (
  { assets }: { readonly assets: () => Assets },
  request: PortalRequest,
): PortalReply => {
  const files = assets();
  const asset = request.path.startsWith(files.prefix)
    ? files.get(request.path.slice(files.prefix.length))
    : undefined;
  if (asset === undefined) return emptyReply(404);
  const takesGzip = acceptsGzip(request.headers['accept-encoding']);
  return {
    status: 200,
    headers: {
      'content-type': asset.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(takesGzip && { 'content-encoding': 'gzip' }),
    },
    body: takesGzip ? asset.gzipped : gunzipSync(asset.gzipped),
  };
};
