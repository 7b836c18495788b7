import { portalFromEnv, type VitrineOptions, VitrineOptionsError, vitrine } from '@vitrine/express';
import express, { type Request } from 'express';

const portal = portalFromEnv();
const canView: VitrineOptions<Request>['canView'] = (viewer, itemId) =>
  viewer.userId.endsWith('@acme.example') && itemId === 1042;
const app = express();
app.use(
  '/api/embed',
  vitrine({
    portal,
    viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
    canView,
    keyLifetime: '45m',
  }),
);
try {
  // @ts-expect-error: without the other options. With declarations that say nothing, this line would be no error.
  vitrine({ portal });
} catch (error) {
  if (!(error instanceof VitrineOptionsError)) throw error;
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object')
    process.stdout.write(`http://localhost:${address.port}\n`);
});
