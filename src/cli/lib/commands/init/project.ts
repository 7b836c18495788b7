import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../output/usageError.ts';

/** The parts of a `package.json` that decide what kind of app it is. */
export interface Manifest {
  readonly type?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** An app on disk, as `vitrine init` finds it. */
export interface Project {
  readonly root: string;
  readonly manifest: Manifest;
  readonly isTypeScript: boolean;
  /** The text of a file, or undefined when it is not there. */
  readonly read: (file: string) => string | undefined;
  /** The first of some files that is there. */
  readonly find: (files: readonly string[]) => string | undefined;
}

/** Reads the app in a folder. Throws when there is none. */
export const openProject = (root: string): Project => {
  const read = (file: string): string | undefined =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : undefined;
  const text = read('package.json');
  if (text === undefined) throw new UsageError(`There is no package.json in ${root}. Run this in your app.`);
  return {
    root,
    manifest: parseManifest(text),
    isTypeScript: read('tsconfig.json') !== undefined,
    read,
    find: (files) => files.find((file) => existsSync(join(root, file))),
  };
};

const parseManifest = (text: string): Manifest => {
  try {
    return JSON.parse(text) as Manifest; // npm would not have worked with anything else
  } catch (cause) {
    throw new UsageError('package.json is not JSON. Correct it first.', { cause });
  }
};
