/** The backend of the live story: the middleware, in front of the demo's portal if it is running, else of its own. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { vitrine } from '@vitrine/express';
import { createPortal } from '@vitrine/portal';
import express from 'express';
import { connectionOf } from '../../examples/demo/backend/connectionOf.ts';
import type { DevFile } from '../../examples/demo/backend/devFile.ts';
import { listen } from '../../examples/demo/backend/listen.ts';

const devFile = fileURLToPath(new URL('../../.vitrine/dev.json', import.meta.url));

const portalOfDemo = async (): Promise<DevFile['portal'] | undefined> => {
  if (process.env['VITEST'] !== undefined) return undefined; // tests use their own portal
  try {
    const { portal } = JSON.parse(readFileSync(devFile, 'utf8')) as DevFile; // written by `npm start`
    await fetch(portal.apiBaseUrl); // any answer will do
    return portal;
  } catch {
    return undefined; // no demo, or it was killed
  }
};

const portal = (await portalOfDemo()) ?? (await createPortal()).tenants[0];
if (portal === undefined) throw new Error('The portal has no tenant.');

const app = express();
app.use(
  '/api/embed',
  vitrine({
    portal: connectionOf(portal),
    viewer: () => ({ userId: 'story.reader@acme.example', roleNames: ['all-regions'] }),
    canView: () => true,
  }),
);

const port = await listen(createServer(app), 0);
process.send?.(port);
process.once('disconnect', () => process.exit(0));
