import { isMap, isPair, LineCounter, type Node, parseDocument } from 'yaml';
import { SeedFileError, type SeedProblem } from './seedFileError.ts';
import { type ParsedSeed, seedSchema } from './seedSchema.ts';

type Path = readonly PropertyKey[];

const fieldName = (path: Path): string =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    '',
  );

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'range' in value;

/** Problems listed at most: a wrong file has hundreds that follow from the first. */
const maxProblems = 25;

/** Reads a seed from YAML, or JSON, which is YAML too. Throws {@link SeedFileError} with the line of each problem. */
export const parseSeed = (text: string, fileName = 'seed'): ParsedSeed => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  if (document.errors.length > 0)
    throw new SeedFileError(
      fileName,
      document.errors
        .slice(0, maxProblems)
        .map((error) => ({ line: lineAt(error.pos[0]), field: '', message: error.message })),
    );
  /** Line of the deepest part of a path that is in the file: a missing field is reported at its parent. */
  const lineOf = (path: Path): number => {
    for (let length = path.length; length >= 0; length -= 1) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return 1;
  };
  const lineOfKey = (path: Path, key: string): number => {
    const map = path.length === 0 ? document.contents : document.getIn(path, true);
    const pair = isMap(map)
      ? map.items.find((item) => isPair(item) && isNode(item.key) && String(item.key) === key)
      : undefined;
    return isNode(pair?.key) && pair.key.range ? lineAt(pair.key.range[0]) : lineOf(path);
  };

  const parsed = seedSchema.safeParse(document.toJS());
  if (parsed.success) return parsed.data;
  throw new SeedFileError(
    fileName,
    parsed.error.issues
      .flatMap((issue): SeedProblem[] =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({
              line: lineOfKey(issue.path, key),
              field: fieldName([...issue.path, key]),
              message: 'is not a field of a seed',
            }))
          : [{ line: lineOf(issue.path), field: fieldName(issue.path), message: issue.message }],
      )
      .sort((left, right) => left.line - right.line)
      .slice(0, maxProblems),
  );
};
