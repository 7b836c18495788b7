import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { secret } from './samples.ts';

const program = fileURLToPath(new URL('../programs/supervisor.ts', import.meta.url));

/** Starts a process that holds a socket and replaces its receiver on request. */
export const startSupervisor = async (kind: string, file: string) => {
  const child = spawn(process.execPath, ['--conditions=@vitrine/source', program, kind, file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  const seen: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => seen.push(line));
  const count = (line: string) => seen.filter((one) => one === line).length;
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await once(lines, 'line');
  };
  await Promise.race([
    until(() => seen.length > 0),
    gone.then(() => Promise.reject(new Error('The supervisor ended before it listened.'))),
  ]);
  return {
    port: Number(seen[0]?.split(' ')[0]),
    /** Resolves when that many receivers have started their shutdown. */
    untilEnding: (times: number) => until(() => count('ending') >= times),
    /** Replaces the current receiver with a new one; resolves when the old one has ended. */
    async replace() {
      const before = count('replaced');
      child.stdin.write('replace\n');
      await until(() => count('replaced') > before);
    },
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
};
