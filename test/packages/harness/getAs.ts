import { get } from 'node:http';

/** GET with a custom Host header: Node does not resolve `acme.localhost`, and fetch forbids the header. */
export const getAs = (host: string, origin: string, path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    get(new URL(path, origin), { headers: { host } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk) => (text += chunk));
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    }).once('error', reject);
  });
