import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../sha256.ts';
import type { NewDelivery } from '../actionInbox.ts';

/** Prefix of a file name, so that names sort by time. The number of deliveries follows. */
export const fileTime = (ms: number): string => String(Math.max(0, Math.trunc(ms))).padStart(15, '0');
const namePattern = /^\d{15}-(\d+)-.*\.deliveries$/;

/** The number of deliveries in a file, from its name. */
export const countIn = (name: string): number => Number(namePattern.exec(name)?.[1] ?? 0);

/** Names of the files in a folder, oldest first. */
export const listFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => namePattern.test(name)).sort();

const encode = ({ raw, ...rest }: NewDelivery): string => {
  const json = JSON.stringify({ ...rest, base64: Buffer.from(raw).toString('base64') });
  return `${sha256(json).toString('base64')} ${json}\n`;
};

/** Returns nothing for a line that is damaged on disk. */
const decode = (line: string): readonly NewDelivery[] => {
  const [digest, json = ''] = line.split(/ (.*)/s);
  if (sha256(json).toString('base64') !== digest) return [];
  // The digest proves that `encode` wrote it.
  const { base64, ...rest } = JSON.parse(json) as Omit<NewDelivery, 'raw'> & { readonly base64: string };
  return [{ ...rest, raw: Buffer.from(base64, 'base64') }];
};

/** Makes changes to a folder's entries durable. */
export const syncFolder = async (folder: string): Promise<void> => {
  await using handle = await open(folder, 'r');
  await handle.sync();
};

/** Writes deliveries atomically to a new file, one per line: write, sync, rename. */
export const writeDeliveries = async (
  folder: string,
  deliveries: readonly NewDelivery[],
  atMs: number,
): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${fileTime(atMs)}-${deliveries.length}-${randomUUID()}.deliveries`);
  const temporary = `${path}.tmp`;
  try {
    await writeFile(temporary, deliveries.map(encode).join(''), { flag: 'wx', mode: 0o600, flush: true });
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(temporary).catch(() => undefined);
    throw error;
  }
};

/** Reads such a file; damaged lines count as lost. */
export const readDeliveries = async (path: string) => {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  const deliveries = lines.flatMap(decode);
  return { deliveries, lost: lines.length - deliveries.length };
};
