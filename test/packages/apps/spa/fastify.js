import { createFetchHandler, portalFromEnv } from '@vitrine/server';
import Fastify from 'fastify';
import { readBuilt } from './readBuilt.js';

const embed = createFetchHandler({
  portal: portalFromEnv(),
  webRequest: ({ method, host, url, raw, body }) => {
    const content = body instanceof Uint8Array ? new Uint8Array(body) : null;
    // oxlint-disable-next-line unicorn/no-invalid-fetch-options -- null for a GET, which has no body
    return new Request(`http://${host}${url}`, { method, headers: raw.headers, body: content });
  },
  viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
  canView: () => true,
});

const app = Fastify();
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.all('/api/embed/*', (request) => embed(request));
});
app.get('/*', (request, reply) => {
  const [type, body] = readBuilt(request.url);
  reply.type(type).send(body);
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send(app.server.address().port);
