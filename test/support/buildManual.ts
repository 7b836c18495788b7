import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { listenOn } from './listenOn.ts';

/** A page or story of the manual. */
export interface ManualEntry {
  readonly id: string;
  readonly type: 'docs' | 'story';
  readonly title: string;
  readonly tags: readonly string[];
}

/** The built manual, served under a path. */
export interface Manual {
  readonly folder: string;
  /** Ends with a slash. */
  readonly url: string;
  readonly entries: readonly ManualEntry[];
  readonly close: () => Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
};

/** Builds Storybook into a temporary folder and serves it under `/vitrine/`, as a Git host does for project pages. */
export const buildManual = async (): Promise<Manual> => {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-manual-'));
  const { NODE_ENV: _test, VITEST: _vitest, ...env } = process.env;
  const args = ['run', '--silent', 'build:storybook', '--', '--output-dir', folder];
  await promisify(execFile)('npm', args, { env, maxBuffer: 16 * 1024 * 1024 });
  const { entries } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
    entries: Readonly<Record<string, ManualEntry>>;
  };
  const server = createServer(async ({ url = '' }, res) => {
    const [, path] = /^\/vitrine\/([^?]*)/.exec(url) ?? [];
    const file = join(folder, normalize(`/${path === '' ? 'index.html' : path}`));
    const content = path === undefined ? undefined : await readFile(file).catch(() => undefined);
    res.writeHead(content ? 200 : 404, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': 'max-age=600',
    });
    res.end(content);
  });
  const url = `${await listenOn(server)}/vitrine/`;
  return {
    folder,
    url,
    entries: Object.values(entries),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
};
