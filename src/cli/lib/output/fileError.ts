import { isUtf8 } from 'node:buffer';
import { constants, createReadStream, openSync, type Stats } from 'node:fs';
import { access, chmod, lstat, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Io } from '../io.ts';
import { UsageError } from './usageError.ts';

/** Whether an error of a file or a socket has this code: `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Creates the error of a file that could not be read or written, with the name that the user gave. */
export const fileError = (
  task: `${'read' | 'write' | 'save'} ${string}`,
  error: unknown,
  next: string,
): UsageError => {
  const advice = hasCode(error, 'ENOSPC') ? 'Free some space, and run the same command again.' : next;
  return new UsageError(`Could not ${task}${reasonOf(error, task)}. ${advice}`, { cause: error });
};

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOLINK: 'it is a link to a file that does not exist',
  ENOSPC: 'the disk is full',
  ENOTSUP: 'it is not a file',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

const reasonOf = (error: unknown, task: string): string => {
  if (hasCode(error, 'ENOENT'))
    return task.startsWith('read') ? ': the file does not exist' : ': its folder does not exist';
  if (!(error instanceof Error && 'code' in error)) return '';
  const code = String(error.code);
  return reasons[code] === undefined ? ` (${code})` : `: ${reasons[code]}`;
};

/** The error of the system for what is there and is not a file. */
const notFile = (stats: Stats): Error => {
  const code = stats.isSymbolicLink() ? 'ENOLINK' : stats.isDirectory() ? 'EISDIR' : 'ENOTSUP';
  return Object.assign(new Error('No file.'), { code });
};

/** The state of a file to read, which may be a pipe. Throws for a folder, and for a device: /dev/zero has no end. */
export const statInput = async (path: string, task: `read ${string}`, next: string): Promise<Stats> => {
  try {
    await access(path, constants.R_OK);
    const stats = await stat(path);
    if (stats.isFile() || stats.isFIFO()) return stats;
    throw notFile(stats);
  } catch (error) {
    throw fileError(task, error, next);
  }
};

/** The bytes of a file or a pipe. Opened as a file, a pipe that nobody writes to would keep the process from ending. */
export const openInput = (path: string, isPipe: boolean): Readable =>
  isPipe
    ? new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true })
    : createReadStream(path);

/** Reads a text file. Throws an error with the advice if it cannot be read, or is not UTF-8. */
export const readText = async (
  path: string,
  task: `read ${string}`,
  next: string,
  signal: AbortSignal,
): Promise<string> => {
  const isPipe = (await statInput(path, task, next)).isFIFO();
  const bytes = await buffer(addAbortSignal(signal, openInput(path, isPipe))).catch((error: unknown) => {
    throw signal.aborted ? error : fileError(task, error, next);
  });
  if (isUtf8(bytes)) return bytes.toString();
  throw new UsageError(`Could not ${task}: it is not a text in UTF-8. ${next}`);
};

/** The file to write, whether it exists, and its mode. Throws early for a folder or a device, which {@link replaceFile} rejects. */
export const fileToWrite = async ({ cwd }: Io, name: string, next: string) => {
  const path = resolve(cwd, name);
  const there = await stat(path).catch(() => undefined);
  if (name === '-' || there?.isFile() === false)
    throw new UsageError(`${JSON.stringify(name)} is not a file, so it was left alone. ${next}`);
  return { path, isThere: there !== undefined, mode: there?.mode };
};

/**
 * Writes a draft and renames it, through a link, so that nobody reads a part, and a failure leaves the old file as it is. Only
 * a file is replaced: a device would be gone, such as /dev/null for root.
 */
export const replaceFile = async (
  path: string,
  text: string | Iterable<string> | AsyncIterable<string>,
  task: `${'write' | 'save'} ${string}`,
  next: string,
  mode = 0o644,
): Promise<void> => {
  const file = await realpath(path).catch(() => path);
  // Only a link that leads nowhere is still a link.
  const there = await lstat(file).catch(() => undefined);
  if (there?.isFile() === false) throw fileError(task, notFile(there), next);
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, text, { mode });
    await chmod(draft, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    // Also the text may fail, which is read meanwhile.
    throw 'syscall' in Object(error) ? fileError(task, error, next) : error;
  }
};
