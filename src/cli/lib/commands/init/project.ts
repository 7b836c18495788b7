import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UsageError } from '../../output/usageError.ts';

/** The fields of a `package.json` that determine the kind of app. */
export interface Manifest {
  readonly type?: string;
  readonly main?: string;
  readonly packageManager?: string;
  readonly workspaces?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** An app on disk. */
export interface Project {
  readonly root: string;
  readonly manifest: Manifest;
  readonly isTypeScript: boolean;
  /** The text of a file, or undefined if it does not exist. */
  readonly read: (file: string) => string | undefined;
  /** The first file that exists. */
  readonly find: (files: readonly string[]) => string | undefined;
  /** The first file that a glob pattern matches. */
  readonly match: (pattern: string) => string | undefined;
}

/** Reads the app in a folder. Throws if there is none, unless `mayBeEmpty`. */
export const openProject = (root: string, mayBeEmpty = false): Project => {
  const read = (file: string): string | undefined =>
    statSync(join(root, file), { throwIfNoEntry: false })?.isFile()
      ? readFileSync(join(root, file), 'utf8')
      : undefined;
  const text = read('package.json') ?? (mayBeEmpty ? '{}' : undefined);
  if (text === undefined) throw new UsageError(`There is no package.json in ${root}. Run this in your app.`);
  return {
    root,
    manifest: parseManifest(text),
    isTypeScript: read('tsconfig.json') !== undefined,
    read,
    find: (files) => files.find((file) => existsSync(join(root, file))),
    match: (pattern) => globSync(pattern, { cwd: root })[0]?.replaceAll(sep, '/'),
  };
};

const parseManifest = (text: string): Manifest => {
  try {
    // npm also accepts a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Manifest; // npm accepts nothing else
  } catch (cause) {
    throw new UsageError('package.json is not JSON. Correct it first.', { cause });
  }
};
