/**
 * Holds the socket of a receiver and replaces the receiver, as a process manager does. Prints the port and its number,
 * then `ending` when a receiver has started its shutdown, and `replaced` when it has ended.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const [kind = 'honest', file = ':memory:'] = process.argv.slice(2);
cluster.setupPrimary({
  exec: fileURLToPath(new URL('./receiver.ts', import.meta.url)),
  args: [kind, file],
  silent: true,
});
const start = async () => {
  const worker = cluster.fork();
  worker.process.stderr?.pipe(process.stderr);
  const [{ port }] = await once(worker, 'listening');
  worker.process.stdout?.on('data', (chunk: Buffer) => {
    if (chunk.includes('ending')) process.stdout.write('ending\n');
  });
  return { worker, port: Number(port) };
};
let current = await start();
process.stdout.write(`${current.port} ${process.pid}\n`);

process.stdin.on('data', async () => {
  const { worker } = current;
  current = await start();
  const gone = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  await gone;
  process.stdout.write('replaced\n');
});
process.once('SIGTERM', async () => {
  const gone = once(current.worker, 'exit');
  current.worker.process.kill('SIGTERM');
  await gone;
  process.exit(0);
});
