import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listenOn } from '../support/listenOn.ts';

/** Whether nginx is on this machine. */
export const hasNginx = ((): boolean => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A running nginx. */
export interface Nginx {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const freePort = async (): Promise<number> => {
  const server = createServer();
  const { port } = new URL(await listenOn(server));
  server.close();
  return Number(port);
};

/** Starts nginx with one server, whose `location` blocks are given. It compresses and buffers what it passes on. */
export const startNginx = async (locations: string): Promise<Nginx> => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'));
  mkdirSync(join(folder, 'tmp'));
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `
    daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log warn;
    events { worker_connections 256; }
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/tmp/${name};`).join(' ')}
      gzip on; gzip_proxied any; gzip_min_length 0; gzip_types *;
      proxy_buffering on;
      server { listen 127.0.0.1:${port}; ${locations} }
    }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  for (let attempt = 0; attempt < 100 && !(await isUp()); attempt += 1) await delay(50);
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
