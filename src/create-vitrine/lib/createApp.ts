import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from './usageError.ts';

/** Writes an app into a folder. Throws, and writes nothing, if the folder contains more than a new repository. */
export const createApp = (starter: string, folder: string): void => {
  if (basename(folder) === 'node_modules')
    throw new UsageError('npm cannot install in a folder named node_modules. Choose another name.');
  const found = existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.git') : [];
  if (found.length > 0)
    throw new UsageError(
      `${folder} is not empty: it contains ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}. Choose another folder. For an existing app, run: npx vitrine init`,
    );
  cpSync(starter, folder, { recursive: true });
  // npm does not publish .gitignore files.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  const manifestFile = join(folder, 'package.json');
  const manifest: object = JSON.parse(readFileSync(manifestFile, 'utf8'));
  writeFileSync(
    manifestFile,
    `${JSON.stringify({ ...manifest, name: packageName(basename(folder)) }, null, 2)}\n`,
  );
};

/** Converts a folder's name to a valid package name. */
const packageName = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z\d.~-]+/g, '-')
    .replaceAll(/^[.-]+|-+$/g, '') || 'vitrine-app';
