import { portalFromEnv, vitrine } from '@vitrine/express';
import express from 'express';

const app = express();
app.use(
  '/api/embed',
  vitrine({
    portal: portalFromEnv(),
    viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
    canView: (viewer, itemId) => itemId === 1042,
  }),
);
app.use(express.static(process.env.STATIC_FOLDER ?? 'public'));

const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
