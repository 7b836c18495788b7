import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileError } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import type { Change } from './plan.ts';

/** Where an app keeps what `vitrine init` changed in it. */
export const recordFile = '.vitrine/init.json';

const write = (root: string, file: string, text: string): void => {
  try {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  } catch (error) {
    throw fileError(`write ${file}`, error, 'Run "vitrine init --revert" to undo what was changed.');
  }
};

const textOf = (root: string, file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

/** Makes the changes, and notes how to undo them before the first. A record of an earlier run keeps its older texts. */
export const applyChanges = (root: string, changes: readonly Change[]): void => {
  const earlier = readRecord(root) ?? [];
  const merged = new Map(earlier.map((change) => [change.file, change]));
  for (const change of changes)
    merged.set(change.file, {
      ...change,
      before: merged.has(change.file) ? merged.get(change.file)?.before : change.before,
    });
  write(root, recordFile, `${JSON.stringify([...merged.values()], null, 2)}\n`);
  for (const { file, after } of changes) write(root, file, after);
};

/** Notes how a package manager left the manifest, which it may write in another order. */
export const noteManifest = (root: string): void => {
  const record = readRecord(root) ?? [];
  const after = textOf(root, 'package.json');
  if (after === undefined) return;
  const updated = record.map((change) => (change.file === 'package.json' ? { ...change, after } : change));
  write(root, recordFile, `${JSON.stringify(updated, null, 2)}\n`);
};

const readRecord = (root: string): Change[] | undefined => {
  const text = textOf(root, recordFile);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Change[]; // written by applyChanges
  } catch (cause) {
    throw new UsageError(`${recordFile} is damaged. Remove it, and undo the changes with Git.`, { cause });
  }
};

/** Undoes the changes. Files that were edited since are left alone and returned. */
export const revertChanges = (root: string): string[] => {
  const record = readRecord(root);
  if (record === undefined) throw new UsageError(`There is nothing to undo: ${recordFile} is not there.`);
  const edited = record.filter(({ file, after, before }) => ![after, before].includes(textOf(root, file)));
  for (const change of record) {
    if (edited.includes(change)) continue;
    if (change.before === undefined) rmSync(join(root, change.file), { force: true });
    else write(root, change.file, change.before);
  }
  if (edited.length === 0) rmSync(join(root, recordFile));
  else write(root, recordFile, `${JSON.stringify(edited, null, 2)}\n`);
  return edited.map(({ file }) => file);
};
