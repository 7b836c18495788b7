/** `next start`, or `next dev` with NEXT_DEV, on a free port. */
import { createServer } from 'node:http';
import next from 'next';

const app = next({ dev: process.env.NEXT_DEV !== undefined, dir: import.meta.dirname });
const handle = app.getRequestHandler();
await app.prepare();
const server = createServer((request, response) => handle(request, response));
server.listen(0, () => process.send(server.address().port));
