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
 * Puts a real backend under `/api/embed` of Storybook's own server, so that the live story travels the whole way:
 * component, middleware, portal, report page. It is a process of its own because Storybook's is not started with
 * the condition that makes packages read each other's source. It starts with the first request and ends with Storybook.
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
