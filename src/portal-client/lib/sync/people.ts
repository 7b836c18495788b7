import { emailKey, isEmailAddress, type UserInput } from '@vitrine/contract/service';
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
  saysBlocked,
  sourceFields,
  stateWord,
  stateWords,
} from './knownExports.ts';
import { nameList, oneLine, shown } from './text.ts';

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
  /** Why the row cannot be used. It is a conflict then, and nobody whose address is in it is removed. */
  readonly problem?: string | undefined;
  /** Further addresses of the same person, such as aliases. The user of the tenant who has one is not removed. */
  readonly otherEmails?: readonly string[] | undefined;
  /** Addresses in a row with a `problem`, or with fewer cells than its file has columns. */
  readonly mentions?: readonly string[] | undefined;
}

/** How a source was read. */
export interface SourceReading {
  /** What the source was taken for: `Okta users (export or API)`. */
  readonly readAs: string;
  /** The columns or fields that were used: `email` from `Primary email`. */
  readonly used: readonly string[];
  /** The others, in the order in which to look at them: what may say who has left, then what may be meant as roles or units. */
  readonly skipped: readonly string[];
  /** Lines above the header and rows that are not people. */
  readonly notes: readonly string[];
}

/** The reading of a source that is not read yet. */
export const nothingRead: SourceReading = {
  readAs: 'nothing',
  used: [],
  skipped: [],
  notes: [],
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

/** A record of a source: the value at a place such as `name.givenName`, or undefined if it has none. */
export type Lookup = (place: string) => unknown;

/** The format of a source, from the names that its header or its first record has. */
export const formatOf = (has: (place: string) => boolean, { source }: SourceOptions): ExportFormat =>
  source === undefined ? (recognize(has) ?? ownFormat) : knownExports[source];

/** Reads the records of one source as people. */
export type PersonReader = ReturnType<typeof createPersonReader>;

/** Reads the records of one source as people. */
export const createPersonReader = (
  format: ExportFormat,
  { columns = {}, inactive }: SourceOptions,
  /** Splits a list in a text; without it, only the texts of known exports are lists of one. */
  split: ((text: string) => readonly string[]) | undefined = format === ownFormat
    ? undefined
    : (text) => [text],
) => {
  const placesOf = (field: SourceField): readonly string[] => {
    const given = columns[field];
    if (given !== undefined) return given.trim() === '' ? [] : [given];
    return format.fields[field] ?? [];
  };
  const places = Object.fromEntries(sourceFields.map((field) => [field, placesOf(field)])) as Record<
    SourceField,
    readonly string[]
  >;
  const logins = columns.email === undefined ? format.login : [];
  const [state] = columns.active === undefined ? [] : places.active;
  if (state !== undefined && saysBlocked(state))
    throw configError(
      'source_columns',
      `${nameList([state])} seems to say who is not active. Give it for blocked, not for active: "yes" in it then means not active.`,
    );
  const words = stateWords(format, inactive);

  return {
    places,
    /** Whether a source with these names tells whom its records are about. */
    identifies: (has: (place: string) => boolean): boolean => [...places.email, ...logins].some(has),
    /** Rejects a source without a column that the options name. */
    checkColumns: (names: readonly string[]): void => {
      for (const field of sourceFields) {
        const place = columns[field]?.trim() ?? '';
        if (place !== '' && !names.some((name) => isSame(name, place)))
          throw missingColumn(field, place, names);
      }
    },
    /** `addresses` is the text of the other places that `holdsAddresses`. */
    person: (lookup: Lookup, addresses: string, origin: string): DesiredUser => {
      const all = (field: SourceField) => places[field].map(lookup);
      const first = (field: SourceField) => all(field).find((value) => !isBlank(value));
      const list = (field: SourceField) =>
        listOf(
          all(field).find((value) => value !== undefined),
          split,
        );
      const active = stateOf(all('active'), all('blocked'), words);
      const [login] = logins.flatMap((place) => loginOf(lookup(place)) ?? []);
      const email = all('email')
        .map(addressOf)
        .find((value) => !isBlank(value));
      // The values of a source may have any type: planning checks them.
      const chosen = withoutScheme(email ?? login ?? onlyAddress(first('email')) ?? '') as string;
      // Directories write smtp:one+smtp:two.
      const others = addressesIn(addresses.replaceAll(/\+?smtp:/gi, ' ')).filter(
        (address) => address !== emailKey(String(chosen)),
      );
      const unread = places.blocked.find((place) => lookup(place) === active && !isBlank(active));
      return {
        email: chosen,
        type: trimmed(first('type')) as string | undefined,
        firstName: trimmed(first('firstName')) as string | undefined,
        lastName: trimmed(first('lastName')) as string | undefined,
        roles: list('roles'),
        organizationUnits: list('organizationUnits'),
        active,
        problem:
          unread === undefined || typeof active === 'boolean' || isBlank(chosen)
            ? undefined
            : `its ${nameList([unread])} is ${shown(active)}, not yes or no`,
        otherEmails: others.length === 0 ? undefined : others,
        origin,
      };
    },
    /** How a source with these names was read. */
    reading: (given: Iterable<string>, notes: readonly string[]): SourceReading => {
      const names = [...given].map(oneLine).filter((name) => name !== '');
      const used = new Map<string, string>();
      for (const [field, wanted] of [...Object.entries(places), ['email', logins] as const])
        for (const name of names)
          if (wanted.some((place) => isSame(name, place)))
            used.set(name, plainName(name) === plainName(field) ? field : `${field} (${name})`);
      const skipped = bySuspicion(names.filter((name) => !used.has(name)));
      return { readAs: format.title, used: [...used.values()], skipped, notes };
    },
  };
};

/** The error about a column that the options name and the source lacks. Names among which is an address are not shown. */
export const missingColumn = (field: SourceField, place: string, names: readonly string[]): Error => {
  const isData = names.length === 0 || addressesIn(names.join('\n')).length > 0;
  const advice = isData
    ? 'Its first line does not look like the names of columns: add a line with them, or compare the name.'
    : `Compare the name with those in the source: ${nameList(names)}.`;
  return configError(
    'source_columns',
    `The source has no ${nameList([place])}, which {columns} gives for ${field}. ${advice}`,
  );
};

/** Whether a column or field has the name of a place, or contains it if it is in brackets. */
export const isSame = (name: string, place: string): boolean => {
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

/** The entries of a list of addresses. */
const emailsIn = (list: readonly unknown[]): readonly JsonRecord[] =>
  list.map((email) => (isRecord(email) ? lowerCased(email) : { value: email }));

const valueOf = (email: JsonRecord): unknown => member(email, 'value') ?? member(email, 'address');

/** The address in a value: of a list of addresses, the primary one, else that for work. */
const addressOf = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value;
  const saying = (name: string, word: string) =>
    emailsIn(value).filter((email) => stateWord(asText(member(email, name)) ?? '') === word);
  return [...saying('primary', 'true').slice(0, 1), ...saying('type', 'work')]
    .map(valueOf)
    .find((address) => !isBlank(address));
};

/** The only address of a list, if it does not say that it is a private one. */
const onlyAddress = (value: unknown): unknown => {
  const [only, ...others] = Array.isArray(value) ? emailsIn(value) : [];
  return only !== undefined && others.length === 0 && isBlank(member(only, 'type'))
    ? valueOf(only)
    : undefined;
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
    ...active.filter((value) => !isBlank(value)).map((value) => wordOf(value, words)),
    ...blocked.filter((value) => !isBlank(value)).map((value) => opposite(wordOf(value, words))),
  ];
  const unknown = stated.find((value) => typeof value !== 'boolean');
  if (unknown !== undefined) return unknown as boolean;
  return stated.includes(false) ? false : (stated[0] as boolean | undefined);
};

const wordOf = (value: unknown, words: ReadonlyMap<string, boolean>): unknown =>
  typeof value === 'boolean' ? value : (words.get(stateWord(asText(value) ?? '')) ?? value);

const opposite = (value: unknown): unknown => (typeof value === 'boolean' ? !value : value);

/** Addresses inside a text, in NFC and in lower case. */
export const addressesIn = (text: string): readonly string[] =>
  [...text.matchAll(/[^\s@<>()[\],;:"'\\|]+@[^\s@<>()[\],;:"'\\|]+/g)].map(([address]) =>
    address
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/\.{2,}/g, '.')
      .replace(/\.$/, ''),
  );
