import { type ErrorCode, isMap, isPair, LineCounter, type Node, parseDocument } from 'yaml';
import { issueMessage } from '../service/issueMessage.ts';
import { fieldName, problemOf } from '../service/validate.ts';
import { SeedFileError, type SeedProblem } from './seedFileError.ts';
import { type ParsedSeed, seedSchema } from './seedSchema.ts';

type Path = readonly PropertyKey[];

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'range' in value;

/** Explanations of YAML syntax errors, by the parser's code. */
const syntaxProblems: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_INDENT:
    'The indentation of the line differs from the lines around it, or a bracket before it is not closed.',
  BLOCK_AS_IMPLICIT_KEY:
    'There is a key in the middle of a value. Check the indentation, and put text that contains ": " in quotes.',
  DUPLICATE_KEY: 'The key occurs twice.',
  MISSING_CHAR: 'A quote, bracket, comma or colon is missing.',
  MULTILINE_IMPLICIT_KEY: 'A key spans several lines. A colon or a quote may be missing.',
  MULTIPLE_DOCS: 'A second document begins. A seed must be one document.',
  TAB_AS_INDENT: 'The indentation contains a tab. Use spaces.',
};

const syntaxProblem = (code: ErrorCode): string =>
  syntaxProblems[code] ?? 'The text is not valid YAML from here on. Check indentation, quotes and brackets.';

/** Maximum number of listed problems: a wrong file may have hundreds of follow-up errors. */
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
        .map((error) => ({ line: lineAt(error.pos[0]), field: '', message: syntaxProblem(error.code) })),
    );
  /** Line of the deepest part of a path that exists in the file: a missing field is reported at its parent. */
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

  const value: unknown = document.toJS();
  const parsed = seedSchema.safeParse(value, { error: issueMessage });
  if (parsed.success) return parsed.data;
  throw new SeedFileError(
    fileName,
    parsed.error.issues
      .flatMap((issue): SeedProblem[] =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({
              line: lineOfKey(issue.path, key),
              field: fieldName('', [...issue.path, key]),
              message: 'is not a field of a seed',
            }))
          : [
              {
                line: lineOf(issue.path),
                field: fieldName('', issue.path),
                message: `${issue.path.length === 0 ? 'The seed ' : ''}${problemOf(issue, value)}`,
              },
            ],
      )
      .sort((left, right) => left.line - right.line)
      .slice(0, maxProblems),
  );
};
