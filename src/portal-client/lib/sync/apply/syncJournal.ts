/** The state of one action. `started` without a later entry means that it may or may not have happened. */
export interface JournalEntry {
  readonly action: string;
  readonly state: 'started' | 'done' | 'failed';
}

/** Records what was done, so that an interrupted run resumes without repeating anything. */
export interface SyncJournal {
  /** Entries of earlier runs of this plan, oldest first. Throws if they belong to another plan. */
  readonly open: (planId: string) => Promise<readonly JournalEntry[]>;
  /** Resolves when the entry would survive a crash of the process and of the machine. */
  readonly write: (entry: JournalEntry) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A journal in memory, for runs that are planned again before a retry. */
export const memoryJournal = (): SyncJournal => {
  const entries: JournalEntry[] = [];
  return {
    open: () => Promise.resolve([...entries]),
    write: (entry) => {
      entries.push(entry);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
};
