import { type ChildProcess, fork } from 'node:child_process';
import { request, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Connect, PluginOption } from 'vite';

const program = fileURLToPath(new URL('./liveBackendProcess.ts', import.meta.url));

interface Backend {
  readonly child: ChildProcess;
  readonly port: number;
}

const start = (): Promise<Backend> =>
  new Promise((resolve, reject) => {
    const child = fork(program, { execArgv: ['--conditions=@vitrine/source'] });
    child.once('message', (message) => resolve({ child, port: Number(message) }));
    child.once('exit', () => reject(new Error('The live backend ended before it was ready.')));
  });

const forward = (req: Connect.IncomingMessage, res: ServerResponse, port: number): void => {
  const { method, headers, originalUrl: path } = req;
  const onward = request({ host: '127.0.0.1', port, method, headers, path }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  onward.once('error', () => res.destroy());
  req.pipe(onward);
};

/**
 * Serves a real backend under `/api/embed` of Storybook's own server, so that the live story uses the whole path:
 * component, middleware, portal, report page. A separate process, because Storybook's lacks the export condition for
 * the packages' sources. It starts on the first request and ends with Storybook.
 */
export const liveBackend = (): PluginOption => {
  let backend: Promise<Backend> | undefined;
  return {
    name: 'vitrine:live-backend',
    apply: 'serve',
    configureServer: (server) => {
      server.httpServer?.once('close', () => void backend?.then(({ child }) => child.disconnect()));
      server.middlewares.use('/api/embed', (req, res, next) => {
        backend ??= start();
        backend.then(({ port }) => forward(req, res, port), next);
      });
    },
  };
};
