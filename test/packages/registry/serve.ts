/**
 * `npm run registry`: publishes every package to a registry on this machine, so that an app can install them by name
 * before the first public release. Ctrl-C stops it. PORT sets the port; default 4873.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from '../../../scripts/packContents.ts';
import { startRegistry } from './startRegistry.ts';

const port = Number(process.env['PORT'] ?? 4873);
const registry = await startRegistry({ port, storage: '.vitrine/registry' }).catch((error: Error) => {
  process.stderr.write(`${error.message}. If a registry runs already, set PORT to another port.\n`);
  process.exit(1);
});
const tarballs = mkdtempSync(join(tmpdir(), 'vitrine-registry-'));
const packed = packPackages('.', tarballs);
await registry.publish(tarballs);
rmSync(tarballs, { recursive: true });

for (const { name, version } of packed) process.stdout.write(`${name}@${version}\n`);
process.stdout.write(`\nIn your app, create a file .npmrc with this line, then install as usual:\n
registry=${registry.url}

The registry forwards requests for all other packages. Press Ctrl-C to stop it.\n`);
process.once('SIGINT', () => void registry.close().then(() => process.exit(0)));
