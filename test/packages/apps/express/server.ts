import { portalFromEnv, vitrine } from '@vitrine/express';
import express, { type Request } from 'express';

const regionOf = (req: Request): string => req.get('x-region') ?? 'region-north';

const app = express();
app.use(
  '/api/embed',
  vitrine({
    portal: portalFromEnv(),
    viewer: (req: Request) => ({ userId: 'north.manager@acme.example', roleNames: [regionOf(req)] }),
    canView: (viewer, itemId) => viewer.userId.endsWith('@acme.example') && itemId === 1042,
    keyLifetime: '45m',
  }),
);
app.use(express.static(process.env['STATIC_FOLDER'] ?? 'public'));

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
