import { extname, join } from 'node:path';
import express, { Router } from 'express';
import { build } from 'vite';

export interface PageOptions {
  /** Folder of `index.html`. */
  readonly root: string;
  /** `development` keeps what React and this library say to developers. Default `production`. */
  readonly mode?: 'development' | 'production';
  /** Whether the page has routes of its own. Default false. */
  readonly hasRoutes?: boolean;
}

const buildOnce = async ({ root, mode = 'production', hasRoutes = false }: PageOptions) => {
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    // Not the test's own.
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    resolve: { conditions: ['@vitrine/source', 'module', 'browser', mode] },
    build: { write: false, modulePreload: false, target: 'es2022', minify: mode === 'production' },
  });
  // Neither a watcher nor several outputs: there is one output.
  const [output] = [result].flat();
  if (output === undefined || !('output' in output)) throw new Error(`${root} was not built.`);
  const files = new Map(
    output.output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
  );
  const html = String(files.get('/index.html'));
  const handler = Router();
  handler.use((request, response, next) => {
    const file = request.path === '/' ? '/index.html' : request.path;
    const content = files.get(file);
    if (content === undefined) return next();
    response.type(extname(file)).send(typeof content === 'string' ? content : Buffer.from(content));
  });
  handler.use(express.static(join(root, 'public')));
  if (hasRoutes) handler.use((_request, response) => void response.type('html').send(html));
  // Serves the page, and at addresses that name no file too where it is an app with routes of its own.
  return { html, handler };
};

const pages = new Map<string, ReturnType<typeof buildOnce>>();

/** Builds a page of this repository from source, once for all test files of a worker. */
export const buildPage = (options: PageOptions) => {
  const key = JSON.stringify(options);
  const page = pages.get(key) ?? buildOnce(options);
  pages.set(key, page);
  return page;
};
