import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOn } from './listenOn.ts';

/** Answers a request. `pass` sends one to the service behind the proxy. */
export type Rewrite = (request: Request, pass: (request: Request) => Promise<Response>) => Promise<Response>;

/** Headers of one connection, and of an encoding that `fetch` removes. */
const ownHeaders = [
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
];

const passedOn = (entries: Iterable<[string, string]>): Record<string, string> =>
  Object.fromEntries([...entries].filter(([name]) => !ownHeaders.includes(name)));

/** Starts a proxy that makes a working service answer as another one would. */
export const startRewritingProxy = async (origin: string, rewrite: Rewrite) => {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const body = await buffer(incoming);
      // Requests of the tests send each header once.
      const headers = passedOn(Object.entries(incoming.headers as Record<string, string>));
      const { method = 'GET', url = '/' } = incoming;
      const request = new Request(`${origin}${url}`, { method, headers, ...(body.length > 0 && { body }) });
      const response = await rewrite(request, (changed) => fetch(changed));
      const sent = Buffer.from(await response.arrayBuffer());
      outgoing.writeHead(response.status, passedOn(response.headers)).end(sent);
    };
    answer().catch(() => outgoing.destroy());
  });
  const url = await listenOn(server);
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, close };
};
