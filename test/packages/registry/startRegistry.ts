import { execFile, execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../../../scripts/installOnce.ts';

const run = promisify(execFile);

/** The part of Verdaccio that we call. It is installed on first use, so its own types may be absent. */
interface Verdaccio {
  readonly runServer: (config: object) => Promise<Server>;
}

export interface RegistryOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Folder of the packages. Each start removes ours and keeps the others. */
  readonly storage: string;
}

/** Names that only we publish: they are never looked up elsewhere. */
const ours = ['@vitrine/*', 'vitrine', 'create-vitrine'];

/** Starts Verdaccio, without any of our packages; it gets all others from the registry that npm uses. */
export const startRegistry = async ({ port = 0, storage }: RegistryOptions) => {
  installOnce(import.meta.dirname, 'Verdaccio (test/packages/registry/node_modules)');
  const { runServer } = createRequire(import.meta.url)('verdaccio') as Verdaccio;
  const folder = resolve(storage);
  mkdirSync(folder, { recursive: true });
  const anyone = { access: '$all', publish: '$all' };
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const server = await runServer({
    self_path: folder,
    storage: folder,
    uplinks: { upstream: { url: upstream, maxage: '1h' } },
    packages: {
      ...Object.fromEntries(ours.map((name) => [name, anyone])),
      '**': { access: '$all', proxy: 'upstream' },
    },
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    web: { enable: false },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'pretty', level: 'fatal' },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  // Now that no other registry uses this folder.
  for (const name of ours) rmSync(join(folder, name.replace('/*', '')), { recursive: true, force: true });
  const address = `localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
  const url = `http://${address}/`;

  return {
    url,
    /** Publishes every tarball of a folder. */
    publish: async (tarballs: string): Promise<void> => {
      // npm requires a token even if anybody may publish.
      const options = ['--registry', url, `--//${address}/:_authToken=anybody`, '--provenance=false'];
      for (const tarball of globSync(join(resolve(tarballs), '*.tgz')))
        await run('npm', ['publish', tarball, ...options]);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
