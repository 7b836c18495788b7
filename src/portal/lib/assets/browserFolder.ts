import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleBrowserFiles } from './bundleBrowserFiles.ts';

const here = import.meta.url;
const root = fileURLToPath(new URL('../', here));
const isSource = here.endsWith('.ts');

/** Source folders of the browser files. */
const sources = [
  'assets',
  'ui',
  'reports/page',
  'reports/shared',
  'console/client',
  'console/shared',
  'openapi/client',
];

const fingerprint = (): string => {
  const hash = createHash('sha256');
  for (const folder of sources)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      const { mtimeMs, size } = statSync(join(root, folder, name));
      hash.update(`${folder}/${name} ${mtimeMs} ${size}\n`);
    }
  return hash.digest('hex').slice(0, 16);
};

/**
 * Folder of the browser files: next to the code in the package. From source, they are bundled on first use after a
 * change, into `node_modules/.cache`.
 */
export const browserFolder = (): string => {
  if (!isSource) return fileURLToPath(new URL('browser', here));
  const folder = join(root, '../../../node_modules/.cache/vitrine-portal', fingerprint());
  if (existsSync(folder)) return folder;
  // Several processes may start at once; the first to finish wins.
  const own = `${folder}.${process.pid}`;
  bundleBrowserFiles(own);
  try {
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
};
