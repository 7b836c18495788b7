import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { clickBody, secret } from './samples.ts';

/** An event with a partially sent body: the receiver has started it and cannot finish it yet. */
export interface SlowUpload {
  /** Sends the rest. Resolves to whether the event was acknowledged. */
  finish(): Promise<boolean>;
}

/** Starts a numbered event and resolves when the receiver reads its body. */
export const beginUpload = async (port: number, number: number): Promise<SlowUpload> => {
  const body = JSON.stringify(clickBody({ reportName: `event-${number}-` }));
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  const ended = new Promise<void>((resolve) => {
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
  });
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.write(
    `POST /api/embed/webhook HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\ncontent-length: ${body.length}\r\nconnection: close\r\nexpect: 100-continue\r\n\r\n`,
  );
  const refused = ended.then(() => Promise.reject(new Error('The receiver closed the connection.')));
  refused.catch(() => undefined);
  while (!text.includes('100 Continue')) await Promise.race([once(socket, 'data'), refused]);
  socket.write(body.slice(0, 100));
  return {
    async finish() {
      socket.write(body.slice(100));
      await ended;
      return text.includes('HTTP/1.1 202');
    },
  };
};
