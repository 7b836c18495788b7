/** Holds many streams open, like as many browsers. */
import { connect, type Socket } from 'node:net';
import { serveRequests } from '../lib/worker.ts';

const sockets: Socket[] = [];

const open = (port: number, number: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.once('data', (chunk) =>
      String(chunk).startsWith('HTTP/1.1 200') ? resolve() : reject(new Error(String(chunk).slice(0, 40))),
    );
    socket.once('error', reject);
    socket.resume();
    socket.write(
      `GET /api/embed/actions HTTP/1.1\r\nhost: x\r\nx-as: viewer-${number}\r\nx-vitrine-request: 1\r\n\r\n`,
    );
  });

serveRequests(async ({ port, count }: { port: number; count: number }) => {
  for (let at = 0; at < count; at += 200)
    await Promise.all(Array.from({ length: Math.min(200, count - at) }, (_, n) => open(port, at + n)));
  return sockets.length;
});
