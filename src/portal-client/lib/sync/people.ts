import { Readable } from 'node:stream';
import { isEmailAddress, type UserInput } from '@vitrine/contract/service';
import { configError } from '../errors.ts';
import { asText, isRecord, type JsonRecord, member } from '../json.ts';
import {
  bySuspicion,
  type ExportFormat,
  type KnownExportName,
  knownExports,
  ownFormat,
  plainName,
  recognize,
  type SourceField,
  sourceFields,
  stateWord,
  stateWords,
} from './knownExports.ts';
import { nameList, oneLine, readText, type TextSource } from './text.ts';

/**
 * The desired state of a user. Omitted fields stay unchanged; a list replaces the existing list, and an empty one changes
 * nothing unless `emptyClears` is set. The email address identifies users, whatever its case or Unicode form.
 */
export interface DesiredUser {
  readonly email: string;
  readonly type?: UserInput['type'] | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Role names. */
  readonly roles?: readonly string[] | undefined;
  /** Identifiers of organizational units, or paths such as `/Customers/Acme`, which may be created by the same plan. */
  readonly organizationUnits?: readonly string[] | undefined;
  /** `false` (SCIM's `active`) means that the user is not desired, as if the row were missing. Any value but a boolean is a conflict. */
  readonly active?: boolean | undefined;
  /** Position of the row in its source, for messages: `line 12`. */
  readonly origin?: string | undefined;
  /** Why the row cannot be used. It is a conflict then; without a valid address, nobody is removed. */
  readonly problem?: string | undefined;
  /** Whether the row has fewer cells than its file has columns: cells may have run together. */
  readonly isShort?: boolean | undefined;
}

/** How a source was read. */
export type SourceReading = {
  /** What the source was taken for: `Okta users (export or API)`. */
  readonly readAs: string;
  /** The columns or fields that were used: `email` from `Primary email`. */
  readonly used: readonly string[];
  /** The others, in the order in which to look at them: what may say who has left, then what may be meant as roles or units. */
  readonly skipped: readonly string[];
  /** Lines above the header and rows that are not people. */
  readonly notes: readonly string[];
};

/** Users from a file. */
export interface UserSource extends AsyncIterable<DesiredUser> {
  /** How the file was read; complete once all users are read. */
  readonly reading: () => SourceReading;
}

/** Options of a source of users. */
export interface SourceOptions {
  /** What the file is, if it is not recognized or taken for another. */
  readonly source?: KnownExportName | undefined;
  /** Where a field stands in the file, `{ email: 'Work mail' }`; nowhere for an empty name. */
  readonly columns?: Readonly<Partial<Record<SourceField, string>>> | undefined;
  /** Further words for users who are not active: `['on leave']`. */
  readonly inactive?: readonly string[] | undefined;
  /** An encoding of `TextDecoder`, such as `shift_jis`. Default: UTF-8, or UTF-16 if the file looks like it. */
  readonly encoding?: string | undefined;
  /** What separates the cells of a CSV. Default: found in its header. */
  readonly delimiter?: string | undefined;
}

/** A record of a source: the value of a column, or of a field such as `name.givenName`; undefined if it has none. */
export type Lookup = (name: string) => unknown;

/** Users of a text, which `read` reads as a whole. */
export const createUserSource = (
  source: TextSource,
  { encoding }: SourceOptions,
  read: (text: string) => Promise<{ readonly users: Iterable<DesiredUser>; readonly reading: SourceReading }>,
): UserSource => {
  // A stream may fail before it is read; without a listener, the error would end the process.
  if (source instanceof Readable) source.on('error', () => undefined);
  let reading: SourceReading = { readAs: 'nothing', used: [], skipped: [], notes: [] };
  return {
    async *[Symbol.asyncIterator]() {
      const result = await read(await readText(source, encoding));
      reading = result.reading;
      yield* result.users;
    },
    reading: () => reading,
  };
};

/** Reads the records of one source, whose columns or fields have these names, as people. */
export const createPersonReader = (
  names: readonly string[],
  { source, columns = {}, inactive }: SourceOptions,
  /** Splits a list in a text; without it, only the texts of known exports are lists of one. */
  splitText?: (text: string) => readonly string[],
) => {
  const find = (place: string) => names.filter((name) => isSame(name, place));
  const has = (place: string) => find(place).length > 0;
  const format: ExportFormat = source === undefined ? (recognize(has) ?? ownFormat) : knownExports[source];
  const split = splitText ?? (format === ownFormat ? undefined : (text: string) => [text]);
  const places = byField((field) =>
    columns[field] === undefined ? (format.fields[field] ?? []) : [columns[field].trim()].filter(Boolean),
  );
  const found = byField((field) => places[field].flatMap(find));
  const logins = columns.email === undefined ? (format.login ?? []).flatMap(find) : [];
  const words = stateWords(format, inactive);

  return {
    example: format.example,
    /** Whether the names tell whom the records are about. */
    identifies: found.email.length + logins.length > 0,
    /** Rejects a source without a column that the options name, or with two of one name. */
    checkColumns: (): void => {
      for (const field of sourceFields)
        for (const place of places[field]) {
          const alike = find(place);
          // A damaged header may hold somebody's data.
          const shown = nameList((alike.length > 1 ? alike : names).filter((name) => !name.includes('@')));
          if (alike.length === 0 && columns[field] !== undefined)
            throw columnError(
              `The source has no ${nameList([place])}, which {columns} gives for ${field}. Compare the name with those in the source: ${shown}.`,
            );
          if (alike.length > 1)
            throw columnError(`Several columns may be ${field}: ${shown}. Rename all but one.`);
        }
    },
    person: (lookup: Lookup, origin: string): DesiredUser => {
      const all = (field: SourceField) => found[field].map(lookup);
      const first = (field: SourceField) => all(field).find((value) => !isBlank(value));
      const list = (field: SourceField) =>
        listOf(
          all(field).find((value) => value !== undefined),
          split,
        );
      const [login] = logins.flatMap((name) => loginOf(lookup(name)) ?? []);
      const email = addressOf(first('email'), login) ?? '';
      // The values of a source may have any type: planning checks them.
      return {
        email: withoutScheme(email) as string,
        type: trimmed(first('type')) as string | undefined,
        firstName: trimmed(first('firstName')) as string | undefined,
        lastName: trimmed(first('lastName')) as string | undefined,
        roles: list('roles'),
        organizationUnits: list('organizationUnits'),
        active: stateOf(all('active'), all('blocked'), words),
        origin,
      };
    },
    /** How the source was read. */
    reading: (notes: readonly string[]): SourceReading => {
      const used = new Map<string, string>();
      for (const [field, columnNames] of [...Object.entries(found), ['email', logins] as const])
        for (const name of columnNames.map(oneLine))
          used.set(name, plainName(name) === plainName(field) ? field : `${field} (${name})`);
      const skipped = bySuspicion(names.map(oneLine).filter((name) => name !== '' && !used.has(name)));
      return { readAs: format.title, used: [...used.values()], skipped, notes };
    },
  };
};

const byField = (namesOf: (field: SourceField) => readonly string[]) =>
  Object.fromEntries(sourceFields.map((field) => [field, namesOf(field)])) as Record<
    SourceField,
    readonly string[]
  >;

const columnError = (message: string) => configError('source_columns', message);

/** Whether a column or field has the name of a place, or contains it if it is in brackets. */
const isSame = (name: string, place: string): boolean => {
  const [plain, wanted] = [plainName(name), plainName(place)];
  return plain === wanted || (wanted.startsWith('[') && plain.includes(wanted));
};

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Trimmed as the portal does; other types are left for planning to report. */
const trimmed = (value: unknown): unknown =>
  typeof value === 'string' ? value.trim() : (value ?? undefined);

/** A sign-in name, if it is an address. That of a guest of Entra ID (`…#EXT#@…`) is not. */
const loginOf = (value: unknown): string | undefined => {
  const text = typeof value === 'string' ? value.trim() : '';
  return isEmailAddress(text) && !text.includes('#EXT#') ? text : undefined;
};

/** The address in a value: of a list, the primary one, else that for work, else `login`, else the only one that is of no kind. */
const addressOf = (value: unknown, login: string | undefined): unknown => {
  if (!Array.isArray(value)) return isBlank(value) ? login : value;
  const emails = value.map((email: unknown) => (isRecord(email) ? lowerCased(email) : { value: email }));
  const saying = (name: string, word: string) =>
    emails.filter((email) => stateWord(asText(member(email, name)) ?? '') === word);
  const only = emails.length === 1 ? emails.filter((email) => isBlank(member(email, 'type'))) : [];
  return [...saying('primary', 'true').slice(0, 1), ...saying('type', 'work'), { value: login }, ...only]
    .map((email) => member(email, 'value') ?? member(email, 'address'))
    .find((address) => !isBlank(address));
};

/** Names of attributes have no case (RFC 7643 2.1). */
const lowerCased = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value]));

/** An address without `mailto:` or `SMTP:`, which directories put before it. */
const withoutScheme = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .trim()
        .replace(/^(?:mailto|smtp):/i, '')
        .trim()
    : value;

/** A list of texts: given as such, as the values of records (SCIM), or in one text. */
const listOf = (
  value: unknown,
  split: ((text: string) => readonly string[]) | undefined,
): readonly string[] | undefined => {
  if (value === undefined || value === null) return undefined;
  if (isBlank(value)) return [];
  if (typeof value === 'string' && split !== undefined)
    return split(value)
      .map((text) => text.trim())
      .filter((text) => text !== '');
  // Planning reports what is not a list of texts.
  if (!Array.isArray(value)) return value as readonly string[];
  return value.map((entry: unknown) => {
    const record = isRecord(entry) ? lowerCased(entry) : undefined;
    return trimmed(
      record === undefined ? entry : (member(record, 'value') ?? member(record, 'display') ?? entry),
    );
  }) as readonly string[];
};

/** Whether a user is active, as words say it; a value that says neither is left for planning to report. */
const stateOf = (
  active: readonly unknown[],
  blocked: readonly unknown[],
  words: ReadonlyMap<string, boolean>,
): boolean | undefined => {
  const stated = [
    ...active.map((value) => wordOf(value, words)),
    ...blocked.map((value) => opposite(wordOf(value, words))),
  ].filter((value) => !isBlank(value));
  const unknown = stated.find((value) => typeof value !== 'boolean');
  return (unknown ?? (stated.includes(false) ? false : stated[0])) as boolean | undefined;
};

const wordOf = (value: unknown, words: ReadonlyMap<string, boolean>): unknown =>
  typeof value === 'boolean' ? value : (words.get(stateWord(asText(value) ?? '')) ?? value);

const opposite = (value: unknown): unknown => (typeof value === 'boolean' ? !value : value);
