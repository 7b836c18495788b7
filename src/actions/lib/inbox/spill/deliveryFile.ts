import { open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../sha256.ts';
import type { NewDelivery } from '../actionInbox.ts';

const encode = ({ raw, ...rest }: NewDelivery): string => {
  const json = JSON.stringify({ ...rest, base64: Buffer.from(raw).toString('base64') });
  return `${sha256(json).toString('base64')} ${json}\n`;
};

/** Gives nothing for a line that has changed on the disk. */
const decode = (line: string): readonly NewDelivery[] => {
  const [digest, json = ''] = line.split(/ (.*)/s);
  if (sha256(json).toString('base64') !== digest) return [];
  // Written by `encode`, as the digest shows.
  const { base64, ...rest } = JSON.parse(json) as Omit<NewDelivery, 'raw'> & { readonly base64: string };
  return [{ ...rest, raw: Buffer.from(base64, 'base64') }];
};

/** Makes a new or removed name in a folder durable. */
export const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r');
  await handle.sync();
};

/** Writes a file of deliveries, a line for each, that is there in whole or not at all: written, synced, renamed. */
export const writeDeliveries = async (
  folder: string,
  name: string,
  deliveries: readonly NewDelivery[],
): Promise<void> => {
  const temporary = join(folder, `${name}.tmp`);
  try {
    await writeFile(temporary, deliveries.map(encode).join(''), { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, join(folder, name));
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
};

/** Reads such a file; lines that changed on the disk are counted as lost. */
export const readDeliveries = async (path: string) => {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const deliveries = lines.flatMap(decode);
  return { deliveries, lost: lines.length - deliveries.length };
};
