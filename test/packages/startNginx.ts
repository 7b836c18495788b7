import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { listenOn } from '../support/listenOn.ts';

/** Whether nginx is installed. */
export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

/** A running nginx. */
export type Nginx = Awaited<ReturnType<typeof startNginx>>;

/** Two different ports: both are taken before either is released. */
const freePorts = async () => {
  const servers = [createServer(), createServer()];
  const [first = '', second = ''] = await Promise.all(servers.map(listenOn));
  for (const server of servers) server.close();
  return [Number(new URL(first).port), Number(new URL(second).port)] as const;
};

/**
 * Starts nginx with what `httpOf` writes to its `http` block; `reload` writes it again and waits until it is in use.
 */
export const startNginxWith = async (httpOf: (port: number) => string) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'));
  mkdirSync(join(folder, 'tmp'));
  const [port, statusPort] = await freePorts();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  let generation = 0;
  const write = (text: string): void => {
    generation += 1;
    const config = `
    daemon off; user root root; pid ${folder}/pid; error_log ${folder}/error.log error;
    events { worker_connections 2048; }
    http {
      access_log off;
      ${temporary.map((name) => `${name}_temp_path ${folder}/tmp/${name};`).join(' ')}
      server { listen 127.0.0.1:${statusPort}; location / { return 200 ${generation}; } }
      ${text}
    }`;
    writeFileSync(join(folder, 'nginx.conf'), config);
  };
  const isInUse = (): Promise<void> =>
    vi.waitFor(
      async () => {
        const headers = { connection: 'close' };
        const answer = await fetch(`http://127.0.0.1:${statusPort}/`, { headers });
        expect(await answer.text()).toBe(String(generation));
      },
      { timeout: 10_000, interval: 50 },
    );
  write(httpOf(port));
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await isInUse();
  return {
    url: `http://127.0.0.1:${port}`,
    /** Worker processes; after a reload also the former ones, until their connections end. */
    workers: (): readonly number[] =>
      readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number),
    reload: async (next: (port: number) => string): Promise<void> => {
      write(next(port));
      child.kill('SIGHUP');
      await isInUse();
    },
    stop: async (): Promise<void> => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Starts nginx with one server with these `location` blocks. It compresses and buffers responses. */
export const startNginx = (locations: string) =>
  startNginxWith(
    (port) => `
      gzip on; gzip_proxied any; gzip_min_length 0; gzip_types *;
      proxy_buffering on;
      server { listen 127.0.0.1:${port}; ${locations} }`,
  );
