import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileError } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';
import { addedLines, type Change, linesOf } from './planInit.ts';
import type { Project } from './project.ts';

/** The file that records the changes of `vitrine init` to an app. */
export const recordFile = '.vitrine/init.json';

const write = (root: string, file: string, text: string): void => {
  try {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  } catch (error) {
    throw fileError(`write ${file}`, error, 'Run "vitrine init --revert" to undo the changes.');
  }
};

const textOf = (root: string, file: string): string | undefined =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;

/** Records how to undo the changes, then makes them. A record of an earlier run keeps its older texts. */
export const applyChanges = (root: string, changes: readonly Change[]): void => {
  const earlier = readRecord(root) ?? [];
  const merged = new Map(earlier.map((change) => [change.file, change]));
  for (const change of changes)
    merged.set(change.file, {
      ...merged.get(change.file),
      ...change,
      before: merged.has(change.file) ? merged.get(change.file)?.before : change.before,
    });
  write(root, recordFile, `${JSON.stringify([...merged.values()], null, 2)}\n`);
  for (const { file, after } of changes) write(root, file, after);
};

/** Records that packages were installed, and the manifest after that: the package manager may reorder it. */
export const noteInstalled = (root: string): void => {
  const record = readRecord(root) ?? [];
  const after = textOf(root, 'package.json');
  if (after === undefined) return;
  const updated = record.map((change) =>
    change.file === 'package.json' ? { ...change, after, installed: true } : change,
  );
  write(root, recordFile, `${JSON.stringify(updated, null, 2)}\n`);
};

const readRecord = (root: string): Change[] | undefined => {
  const text = textOf(root, recordFile);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Change[]; // applyChanges wrote it
  } catch (cause) {
    throw new UsageError(`${recordFile} is damaged. Remove it, and undo the changes with Git.`, { cause });
  }
};

/**
 * Returns the changes to undo, and those in files that were edited since, which stay unchanged. Throws if there is no
 * record.
 */
export const planRevert = (root: string): { undo: readonly Change[]; edited: readonly Change[] } => {
  const record = readRecord(root);
  if (record === undefined) throw new UsageError(`There is nothing to undo: ${recordFile} does not exist.`);
  const isEdited = ({ file, after, before }: Change) => ![after, before].includes(textOf(root, file));
  return { undo: record.filter((change) => !isEdited(change)), edited: record.filter(isEdited) };
};

/** Lists the remains of changes in files that were edited since: new files, or added lines that are still there. */
export const leftovers = ({ read }: Project, edited: readonly Change[]): string[] =>
  edited.flatMap(({ file, before, after }) => {
    if (before === undefined) return [`  Remove ${file} if you do not need it.`];
    const added = new Set(addedLines(before, after));
    const left = linesOf(read(file) ?? '').filter((line) => line.trim() !== '' && added.has(line));
    return left.length === 0 ? [] : [`  Remove from ${file}:`, ...left.map((line) => `    ${line}`)];
  });

/** Undoes the changes, and keeps those of files that were edited since in the record. */
export const revertChanges = (root: string, { undo, edited }: ReturnType<typeof planRevert>): void => {
  for (const { file, before } of undo) {
    if (before === undefined) rmSync(join(root, file), { force: true });
    else write(root, file, before);
  }
  if (edited.length === 0) rmSync(join(root, recordFile));
  else write(root, recordFile, `${JSON.stringify(edited, null, 2)}\n`);
};
