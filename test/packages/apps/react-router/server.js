import { createRequestHandler } from '@react-router/express';
import express from 'express';

const app = express();
app.use(express.static('build/client', { index: false }));
app.use(createRequestHandler({ build: await import('./build/server/index.js') }));

const server = app.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://localhost:${server.address().port}\n`),
);
