import { portalFromEnv, type VitrineOptions, VitrineOptionsError, vitrine } from '@vitrine/express';

import express = require('express');

const portal = portalFromEnv();
const canView: VitrineOptions<express.Request>['canView'] = (_viewer, itemId) => itemId === 1042;
const app = express();
app.use(
  '/api/embed',
  vitrine({
    portal,
    viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
    canView,
  }),
);
try {
  // @ts-expect-error: the declarations are not empty
  vitrine({ portal });
} catch (error) {
  if (!(error instanceof VitrineOptionsError)) throw error;
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
