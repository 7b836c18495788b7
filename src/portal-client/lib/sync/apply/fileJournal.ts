import { type FileHandle, open } from 'node:fs/promises';
import { PortalError } from '../../errors/portalError.ts';
import { isRecord, member } from '../../responses/jsonValues.ts';
import type { JournalEntry, SyncJournal } from './syncJournal.ts';

/**
 * A journal in a file, one JSON line per entry. Concurrent entries share one write and one `fdatasync`. The file
 * contains actions and addresses, no secrets.
 */
export const fileJournal = (file: string): SyncJournal => {
  let handle: FileHandle | undefined;
  let waiting: {
    readonly line: string;
    readonly resolve: () => void;
    readonly reject: (error: unknown) => void;
  }[] = [];
  let flushing: Promise<void> | undefined;

  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (handle === undefined) throw journalError(file, 'it is not open');
        await handle.appendFile(batch.map(({ line }) => line).join(''));
        await handle.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    flushing = undefined;
  };
  const append = (value: unknown) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ line: `${JSON.stringify(value)}\n`, resolve, reject });
      flushing ??= flush();
    });

  return {
    open: async (planId) => {
      handle = await open(file, 'a+').catch((error: unknown) => {
        throw journalError(
          file,
          error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be opened',
        );
      });
      const { entries, plan, isTorn } = readJournal((await handle.readFile()).toString());
      // End a truncated line, so that the next entry starts on a new line.
      if (isTorn) await handle.appendFile('\n');
      if (plan === undefined) await append({ plan: planId });
      else if (plan !== planId) {
        await handle.close();
        throw journalError(file, 'it belongs to another plan. Use a new file, or plan again');
      }
      return entries;
    },
    write: append,
    close: async () => {
      await flushing;
      await handle?.close();
      handle = undefined;
    },
  };
};

const readJournal = (text: string) => {
  const entries: JournalEntry[] = [];
  let plan: string | undefined;
  for (const line of text.split('\n')) {
    const value = parseLine(line);
    const named = isRecord(value) ? member(value, 'plan') : undefined;
    if (typeof named === 'string') plan ??= named;
    else if (isEntry(value)) entries.push(value);
  }
  return { entries, plan, isTorn: text !== '' && !text.endsWith('\n') };
};

const parseLine = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

const isEntry = (value: unknown): value is JournalEntry =>
  isRecord(value) &&
  typeof member(value, 'action') === 'string' &&
  ['started', 'done', 'failed'].includes(String(member(value, 'state')));

const journalError = (file: string, problem: string): PortalError =>
  new PortalError(`The journal ${file} cannot be used: ${problem}.`, { kind: 'config', code: 'bad_journal' });
