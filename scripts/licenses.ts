/** The licences that a package may bring into a host app with its runtime dependencies. */
import { readFileSync } from 'node:fs';

interface LockEntry {
  license?: string;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  devOptional?: boolean;
}

const accepted = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
]);

const isAccepted = (license: string | undefined): boolean =>
  license !== undefined &&
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => accepted.has(one)));

/** Comes with the host's own Vite, a peer of @vitrine/vite: no package brings it. */
const fromPeers = new Set(['node_modules/lightningcss']);

/** The runtime dependencies of the lock file whose licence is not on the list, as `name: licence`. */
export const findForeignLicenses = (lockFile: string): string[] => {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, LockEntry> };
  return Object.entries(packages)
    .filter(
      ([path, entry]) => path.startsWith('node_modules/') && entry.link !== true && !fromPeers.has(path),
    )
    .filter(([, entry]) => entry.dev !== true && entry.optional !== true && entry.devOptional !== true)
    .filter(([, entry]) => !isAccepted(entry.license))
    .map(([path, { license = 'no licence' }]) => `${path.replace(/^.*node_modules\//, '')}: ${license}`);
};
