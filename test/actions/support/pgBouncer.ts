import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { hasPostgres, postgresUrl } from './postgres.ts';
import { temporaryFolder } from './samples.ts';

const isInstalled = (): boolean => {
  try {
    execFileSync('pgbouncer', ['--version']);
    return true;
  } catch {
    return false;
  }
};

/** Whether PgBouncer is installed, and Postgres responds; otherwise its tests are reported as skipped. */
export const hasPgBouncer = hasPostgres && isInstalled();

/** Starts PgBouncer in transaction mode in front of the Postgres for tests. Resolves to its address. */
export const startPgBouncer = async (): Promise<string> => {
  const { hostname, port, username, pathname } = new URL(postgresUrl);
  const folder = temporaryFolder();
  // As root, it runs as another user.
  chmodSync(folder, 0o777);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port || 5432} user=${username}
[pgbouncer]
unix_socket_dir = ${folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 3
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [...(isRoot ? ['-u', 'postgres'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      log += String(chunk);
      if (log.includes('process up')) resolve();
    });
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${log}`)));
  });
  return `postgres://${username}@${pathname}?host=${folder}&port=6432`;
};
