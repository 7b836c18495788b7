import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

const headerBytes = 32;
const frameHeaderBytes = 24;
/** Magic number of a log, except its last bit. */
const magic = 0x377f0682;

/** How many frames of the log SQLite accepts. */
const countAccepted = (connection: DatabaseSync): number =>
  Number(connection.prepare('pragma wal_checkpoint(passive)').get()?.['log'] ?? 0);

/** Counts the commits in the current log after the accepted frames. */
const countCommits = (log: Buffer, accepted: number): number => {
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let commits = 0;
  for (let at = headerBytes + accepted * frameBytes; at + frameBytes <= log.length; at += frameBytes)
    if (log.readUInt32BE(at + 4) > 0 && salts.equals(log.subarray(at + 8, at + 16))) commits += 1;
  return commits;
};

/**
 * Finds commits that SQLite silently drops because its log is damaged before them. A single commit after the damage may
 * be one torn by a crash before it was acknowledged; a second commit proves that the first was on disk. Returns a
 * sentence with the name of a copy of the log.
 */
export const checkLog = (connection: DatabaseSync, file: string): string | undefined => {
  const path = `${file}-wal`;
  if (!existsSync(path)) return undefined;
  const accepted = countAccepted(connection);
  const log = readFileSync(path);
  if (log.length <= headerBytes) return undefined;
  const hasHeader = (log.readUInt32BE(0) & ~1) === magic;
  if (hasHeader && countCommits(log, accepted) < 2) return undefined;
  // Another process is writing, and the counted commits were its own.
  if (countAccepted(connection) !== accepted) return undefined;
  const copy = `${path}.damaged-${Date.now()}`;
  copyFileSync(path, copy);
  return `the log of ${file} is damaged (kept as ${copy})`;
};
