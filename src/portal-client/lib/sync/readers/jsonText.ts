import type * as Library from '@streamparser/json';
import { configError } from '../../errors.ts';
import { isRecord } from '../../json.ts';
import { plainName } from '../knownExports.ts';
import { nameList, readStart } from '../text.ts';
import { checkNoPage, checkWhole, listNames, listsIn } from './jsonLists.ts';

/** A value of a source, still without meaning. */
export interface SourceValue {
  readonly value: unknown;
  /** The text of a value that is not a record. */
  readonly text: string;
  readonly origin: string;
  /** A name that a line has twice. */
  readonly repeated?: string | undefined;
}

/** The users of a JSON text, still without meaning. */
export async function* valuesOf(
  text: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<SourceValue, void, undefined> {
  const library = await import('@streamparser/json');
  const newParser = () => createParser(library);
  let isLines: boolean | undefined;
  const all = await readStart(text, (start) => {
    isLines = looksLikeLines(start, newParser);
    return isLines !== undefined;
  });
  yield* isLines === true ? linesIn(all, newParser) : entriesIn(all, newParser());
}

/** The records of NDJSON. */
async function* linesIn(
  text: AsyncIterable<string>,
  newParser: () => Parser,
): AsyncGenerator<SourceValue, void, undefined> {
  let rest = '';
  let line = 0;
  const read = (one: string): SourceValue => {
    const { root, repeated } = parse(one, newParser) ?? {};
    checkNoPage(root, `Line ${line}`);
    return { value: root, text: one, origin: `line ${line}`, repeated };
  };
  for await (const piece of text) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const one of lines) {
      line += 1;
      if (one.trim() !== '') yield read(one);
    }
  }
  if (rest.trim() === '') return;
  line += 1;
  const last = read(rest);
  // A broken line in the middle is one bad row; at the end it means that more may be missing.
  if (!isRecord(last.value)) throw broken(`Line ${line} of the source`);
  yield last;
}

/** The records of a list, one by one. What stands beside the list is checked at the end. */
async function* entriesIn(
  text: AsyncIterable<string>,
  parser: Parser,
): AsyncGenerator<SourceValue, void, undefined> {
  const { document } = parser;
  const entryOf = (value: unknown, number: number): SourceValue => {
    checkNoPage(value, `Entry ${number}`);
    const origin = `entry ${number}`;
    return { value, text: isRecord(value) ? '' : JSON.stringify(value), origin };
  };
  for await (const piece of text) {
    parser.write(piece);
    if (document.repeated !== undefined)
      throw configError(
        'json_repeated',
        `The JSON has an object with the field ${nameList([document.repeated])} twice, of which only the last would be read. Leave one of them out, or join them if they are lists. Nothing was planned.`,
      );
    const first = document.count - document.rows.length + 1;
    for (const [index, value] of document.rows.splice(0).entries()) yield entryOf(value, first + index);
  }
  parser.end();
  const { root } = document;
  checkWhole(document);
  if (document.count === 0 && isRecord(root) && listsIn(root).length === 0) yield entryOf(root, 1);
}

const broken = (what: string) =>
  configError('json_broken', `${what} is not complete or not valid JSON. Nothing was planned.`);

/** A JSON document as far as it is read. */
export interface JsonDocument {
  /** Its value without the rows of the list; undefined before its end. */
  root?: unknown;
  /** Name of the list, if it is in an object. */
  list?: string;
  /** The rows of the list that are not taken yet. */
  readonly rows: unknown[];
  /** The number of all rows. */
  count: number;
  /** A name that an object has twice. */
  repeated?: string;
}

/** Parses a JSON piece by piece. */
type Parser = ReturnType<typeof createParser>;

/**
 * Parses a JSON piece by piece, and takes the rows of its list out, so that it may have any length. It sees names that an
 * object has twice: only the last value stays, so that users would be missing, or get the state of only one of them.
 */
const createParser = ({ Tokenizer, TokenParser, TokenType }: typeof Library) => {
  const document: JsonDocument = { rows: [], count: 0 };
  const tokenizer = new Tokenizer({ stringBufferSize: 4096 });
  const parser = new TokenParser();
  parser.onValue = ({ value, parent, stack }) => {
    const [, inner] = stack;
    if (stack.length === 0) document.root = value;
    if (!Array.isArray(parent) || stack.length > 2) return;
    const name = String(inner?.key ?? '');
    const isOfList = inner === undefined || (isRecord(inner.value) && listNames.includes(plainName(name)));
    if (!isOfList || name !== (document.list ?? name)) return;
    document.list = name;
    document.count += 1;
    document.rows.push(parent.pop());
  };
  /** The names of the open objects, by their depth; used again, because a hundred thousand sets take room. */
  const names: Set<string>[] = [];
  let [depth, text] = [0, ''];
  const is = ({ token }: { readonly token: number }, ...kinds: (keyof typeof TokenType)[]) =>
    kinds.some((kind) => TokenType[kind] === token);
  tokenizer.onToken = (token) => {
    parser.write(token);
    const own = (names[depth] ??= new Set());
    if (is(token, 'LEFT_BRACE', 'LEFT_BRACKET')) {
      depth += 1;
      names[depth]?.clear();
    } else if (is(token, 'RIGHT_BRACE', 'RIGHT_BRACKET')) depth -= 1;
    else if (is(token, 'STRING')) text = String(token.value);
    else if (is(token, 'COLON')) {
      if (own.has(text)) document.repeated ??= text;
      own.add(text);
    }
  };
  tokenizer.onError = () => {
    throw broken('The source');
  };
  return {
    document,
    write: (piece: string): void => tokenizer.write(piece),
    end: (): void => {
      tokenizer.end();
      if (!parser.isEnded) throw broken('The source');
    },
  };
};

const parse = (text: string, newParser: () => Parser): JsonDocument | undefined => {
  const parser = newParser();
  try {
    parser.write(text);
    parser.end();
    return parser.document;
  } catch {
    return undefined;
  }
};

/** A record is shorter than this. A longer first line is a whole response. */
const maxLine = 2 ** 20;

/** Whether a text is NDJSON: its first line is a whole record. Undefined until that line is complete. */
const looksLikeLines = (start: string, newParser: () => Parser): boolean | undefined => {
  const text = start.trimStart();
  if (text === '') return undefined;
  const end = text.indexOf('\n');
  if (!text.startsWith('{') || (end < 0 ? text.length : end) > maxLine) return false;
  if (end < 0) return undefined;
  const first = parse(text.slice(0, end), newParser)?.root;
  if (!isRecord(first)) return false;
  if (listsIn(first).length === 0) return true;
  // One response on one line is no NDJSON; two are pages.
  const more = text.slice(end).trim();
  return more === '' ? undefined : more.startsWith('{');
};
