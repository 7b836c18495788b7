import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PortalSeed } from './portalSeed.ts';

// The YAML library is loaded on demand: most portals start without a seed file.

/** Reads a seed file, YAML or JSON. */
export const readSeedFile = async (path: string): Promise<PortalSeed> => {
  const { parseSeed } = await import('./parseSeed.ts');
  return parseSeed(await readFile(path, 'utf8'), path);
};

const head = `# The initial state of a portal. The portal names the line of every mistake in this file.
# Omitted API keys, passphrases and webhook secrets get development values, derived from the tenancy name.
`;

/** A seed as text: JSON for file names ending in .json, else YAML. */
const formatSeed = async (seed: PortalSeed, path: string): Promise<string> => {
  if (path.endsWith('.json')) return `${JSON.stringify(seed, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return `${head}${stringify(seed, { lineWidth: 110, aliasDuplicateObjects: false })}`;
};

/** Writes a seed file atomically: a synced temporary file next to it, then renamed. */
export const writeSeedFile = async (path: string, seed: PortalSeed): Promise<void> => {
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
  // The rename is durable after the folder is synced.
  const folder = await open(dirname(path) || '.', 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
