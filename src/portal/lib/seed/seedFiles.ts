import { isUtf8 } from 'node:buffer';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Node } from 'yaml';
import { fieldName } from '../http/portalFailure.ts';
import { parsing, problemOf } from '../service/validate.ts';
import type { PortalSeed } from './portalSeed.ts';
import { maxProblems, seedSchema } from './seedSchema.ts';

// The YAML library is loaded on demand: most portals start without a seed file.

/** One problem in a seed file. */
export interface SeedProblem {
  /** From 1. */
  readonly line: number;
  /** `tenants[0].users[3].email`, or empty if the file cannot be read at all. */
  readonly field: string;
  readonly message: string;
}

/** A seed file is not valid; lists every problem with its line. */
export class SeedFileError extends Error {
  override readonly name = 'SeedFileError';
  readonly problems: readonly SeedProblem[];

  constructor(fileName: string, problems: readonly SeedProblem[]) {
    super(
      problems
        .map(
          ({ line, field, message }) => `${fileName}:${line}: ${field === '' ? '' : `${field} `}${message}`,
        )
        .join('\n'),
    );
    this.problems = problems;
  }
}

type Path = readonly PropertyKey[];

/** Reads a seed file: YAML, or JSON, which is YAML too. Throws {@link SeedFileError} with the line of each problem. */
export const readSeedFile = async (fileName: string): Promise<PortalSeed> => {
  const bytes = await readFile(fileName);
  const encoding = { line: 1, field: '', message: 'the file is not UTF-8. Save it as UTF-8' };
  if (!isUtf8(bytes)) throw new SeedFileError(fileName, [encoding]);
  const text = bytes.toString();
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const fail = (problems: readonly SeedProblem[]) =>
    new SeedFileError(
      fileName,
      problems.toSorted((left, right) => left.line - right.line).slice(0, maxProblems),
    );
  if (document.errors.length > 0)
    throw fail(document.errors.map(({ pos, message }) => ({ line: lineAt(pos[0]), field: '', message })));
  const nodeAt = (path: Path): Node | undefined => {
    const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    return isNode(node) ? node : undefined;
  };
  /** Line of the deepest part of a path that exists in the file: a missing field is reported at its parent. */
  const lineOf = (path: Path): number => {
    const start = nodeAt(path)?.range?.[0];
    if (start !== undefined) return lineAt(start);
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  const lineOfKey = (path: Path, name: string): number => {
    const map = nodeAt(path);
    const keys = isMap(map) ? map.items.map(({ key }) => key) : [];
    const found = keys.find((key) => isScalar(key) && String(key.value) === name);
    return isScalar(found) && found.range ? lineAt(found.range[0]) : lineOf(path);
  };

  const value: unknown = document.toJS();
  const parsed = seedSchema.safeParse(value, parsing);
  if (parsed.success) return parsed.data;
  throw fail(
    parsed.error.issues.flatMap((issue): SeedProblem[] => {
      const { path } = issue;
      if (issue.code === 'unrecognized_keys')
        return issue.keys.map((key) => ({
          line: lineOfKey(path, key),
          field: fieldName([...path, key]),
          message: 'is not a field of a seed',
        }));
      const message = `${path.length === 0 ? 'The seed ' : ''}${problemOf(issue)}`;
      return [{ line: lineOf(path), field: fieldName(path), message }];
    }),
  );
};

const head = `# The initial state of a portal. The portal names the line of every mistake in this file.
# Omitted API keys, passphrases and webhook secrets get development values, derived from the tenancy name.
# A task with a secret of its own is exported without one (secret: null).
`;

/** A seed as text: JSON for file names ending in .json, else YAML. */
const formatSeed = async (seed: PortalSeed, path: string): Promise<string> => {
  if (path.endsWith('.json')) return `${JSON.stringify(seed, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return `${head}${stringify(seed, { lineWidth: 110, aliasDuplicateObjects: false })}`;
};

/** Writes a seed file atomically: a synced temporary file next to it, then renamed. */
export const writeSeedFile = async (path: string, seed: PortalSeed): Promise<void> => {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, await formatSeed(seed, path), { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
