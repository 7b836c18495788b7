import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionOf } from '../lib/machine.ts';
import { cores, pinned } from '../lib/pinned.ts';
import { envelope } from './envelope.ts';

/** Whether nginx can act as the portal here. It is several times faster than a Node server on the same core. */
export const hasNginx: boolean = versionOf('nginx', '-h') !== undefined;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const config = (folder: string, port: number): string => `
daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log crit;
events { worker_connections 16384; }
http {
  access_log off; keepalive_requests 1000000000; keepalive_timeout 3600s; default_type application/json;
  client_body_temp_path ${folder}/tmp; proxy_temp_path ${folder}/tmp; fastcgi_temp_path ${folder}/tmp;
  uwsgi_temp_path ${folder}/tmp; scgi_temp_path ${folder}/tmp;
  server { listen 127.0.0.1:${port} backlog=4096; location / { return 200 '${envelope}'; } }
}`;

/** Starts a portal that responds at once, on the load generator's core. */
export const startNginx = async (): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  mkdirSync(join(folder, 'tmp'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), config(folder, port));
  const [program, args] = pinned(cores.load, ['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')]);
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) break;
    if (attempt > 100) throw new Error('nginx did not start.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGQUIT');
      await exit;
      rmSync(folder, { recursive: true });
    },
  };
};
