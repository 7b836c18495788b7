import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ParsedSeed, PortalSeed } from './seedSchema.ts';

// YAML is loaded where a file is read or written: most portals start without one.

/** Reads a seed file, YAML or JSON. */
export const readSeedFile = async (path: string): Promise<ParsedSeed> => {
  const { parseSeed } = await import('./parseSeed.ts');
  return parseSeed(await readFile(path, 'utf8'), path);
};

const head = `# The initial state of a portal. When the portal reads this file, it reports wrong lines.
# Omitted API keys, passphrases and webhook secrets get development values, derived from the tenancy name.
`;

/** A seed as text: JSON for a name that ends with .json, else YAML. */
const formatSeed = async (seed: PortalSeed, path: string): Promise<string> => {
  if (path.endsWith('.json')) return `${JSON.stringify(seed, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return `${head}${stringify(seed, { lineWidth: 110, aliasDuplicateObjects: false })}`;
};

/**
 * Writes a seed file so that a crash leaves the old file or the new one and nothing between: a temporary file beside
 * it, on the disk, then renamed. `isNew` refuses to replace a file.
 */
export const writeSeedFile = async (
  path: string,
  seed: PortalSeed,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Promise<void> => {
  if (isNew) await (await open(path, 'wx')).close();
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(await formatSeed(seed, path));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // The rename is on the disk once the folder is.
  const folder = await open(dirname(path) || '.', 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
