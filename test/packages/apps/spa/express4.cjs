const { portalFromEnv, vitrine } = require('@vitrine/express');
const express = require('express-4');

const app = express();
app.use(
  '/api/embed',
  vitrine({
    portal: portalFromEnv(),
    viewer: () => ({ userId: 'north.manager@acme.example', roleNames: ['region-north'] }),
    canView: () => true,
  }),
);
app.use(express.static('dist'));

const server = app.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://localhost:${server.address().port}\n`),
);
