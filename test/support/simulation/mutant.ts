import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as LibraryModule from '@vitrine/react';
import type * as StoreModule from '../../../src/react/lib/frames/createReportStore.ts';
import type * as KeyOptionsModule from '../../../src/react/lib/keys/embedKeyOptions.ts';
import type * as CacheModule from '../../../src/react/lib/keys/keyCache.ts';
import type * as SessionModule from '../../../src/react/lib/session/keySession.ts';

/** The parts of the component that live without React: as they are, or with one thing broken. */
export interface LifeParts {
  readonly createKeySession: typeof SessionModule.createKeySession;
  readonly createKeyCache: typeof CacheModule.createKeyCache;
  readonly embedKeyOptions: typeof KeyOptionsModule.embedKeyOptions;
  readonly createReportStore: typeof StoreModule.createReportStore;
}

/** One thing to break: a piece of source text and what stands there instead. */
export interface Fault {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const library = join(import.meta.dirname, '../../../src/react/lib');
const folder = join(import.meta.dirname, '../../.mutants');

const load = async (from: string): Promise<LifeParts> => ({
  ...(await import(/* @vite-ignore */ join(from, 'keys/embedKeyOptions.ts'))),
  ...(await import(/* @vite-ignore */ join(from, 'session/keySession.ts'))),
  ...(await import(/* @vite-ignore */ join(from, 'keys/keyCache.ts'))),
  ...(await import(/* @vite-ignore */ join(from, 'frames/createReportStore.ts'))),
});

/** The parts as they are shipped. */
export const loadLifeParts = (): Promise<LifeParts> => load(library);

/** Runs something with a broken copy of the library's folder. */
const withCopy = async <TResult>(
  faults: readonly Fault[],
  run: (copy: string) => Promise<TResult>,
): Promise<TResult> => {
  const copy = join(folder, `${process.pid}-${Math.random().toString(36).slice(2)}`);
  cpSync(library, copy, { recursive: true });
  try {
    for (const { file, from, to } of faults) {
      const path = join(copy, file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(from)) throw new Error(`${file} no longer holds: ${from}`);
      writeFileSync(path, text.replace(from, to));
    }
    return await run(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
};

/** Runs something with broken parts: the control that shows what a check can catch. */
export const withMutant = <TResult>(
  faults: readonly Fault[],
  run: (parts: LifeParts) => Promise<TResult>,
): Promise<TResult> => withCopy(faults, async (copy) => run(await load(copy)));

/** The same with the whole package. */
export const withMutantPackage = <TResult>(
  faults: readonly Fault[],
  run: (library: typeof LibraryModule) => Promise<TResult>,
): Promise<TResult> =>
  withCopy(faults, async (copy) => run(await import(/* @vite-ignore */ join(copy, 'index.ts'))));
