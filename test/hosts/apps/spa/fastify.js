import { createNodeHandler, portalFromEnv } from '@vitrine/server';
import Fastify from 'fastify';
import { readBuilt } from './readBuilt.js';

const embed = createNodeHandler({
  portal: portalFromEnv(),
  viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
  canView: () => true,
});

const app = Fastify();
app.register(async (scope) => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _body, done) => done(null));
  scope.all('/api/embed/*', (request, reply) => {
    reply.hijack();
    embed(request.raw, reply.raw);
  });
});
app.get('/*', (request, reply) => {
  const [type, body] = readBuilt(request.url);
  reply.type(type).send(body);
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send(app.server.address().port);
