import { configError } from '../../errors.ts';
import { isRecord, type JsonRecord } from '../../json.ts';
import { holdsAddresses, isAboutOthers, plainName } from '../knownExports.ts';
import {
  addressesIn,
  createPersonReader,
  type DesiredUser,
  formatOf,
  isSame,
  type Lookup,
  nothingRead,
  type PersonReader,
  type SourceOptions,
  type UserSource,
} from '../people.ts';
import { holdError, nameList, readText, type TextSource } from '../text.ts';
import { fieldsOf } from './jsonLists.ts';
import { valuesOf } from './jsonText.ts';

/**
 * Reads users from JSON: an array, NDJSON (one user per line, streamed), `{users: [...]}`, or the response of a directory,
 * such as a SCIM ListResponse (RFC 7643, 7644): see `knownExports`. Names of fields may be in any case. A record that cannot
 * be read is passed on with its `problem`; a list that says that it is incomplete, or text that is cut off, is an error.
 */
export const usersFromJson = (source: TextSource, options: SourceOptions = {}): UserSource => {
  holdError(source);
  let reading = nothingRead;
  async function* users(): AsyncGenerator<DesiredUser, void, undefined> {
    const names = new Set<string>();
    let people: PersonReader | undefined;
    for await (const { value, text, origin, repeated } of valuesOf(readText(source, options.encoding))) {
      if (!isRecord(value) || repeated !== undefined) {
        const problem =
          repeated === undefined ? 'it is not a record' : `it has the field ${nameList([repeated])} twice`;
        yield { email: '', problem, mentions: addressesIn(text), origin };
        continue;
      }
      for (const name of namesIn(value)) if (names.size < maxNames) names.add(name);
      const lookup = lookupIn(value);
      people ??= createPersonReader(
        formatOf((place) => lookup(place) !== undefined, options),
        options,
      );
      yield people.person(lookup, addressTextOf(value), origin);
    }
    if (people === undefined) return;
    people.checkColumns([...names]);
    if (!people.identifies((place) => [...names].some((name) => isSame(name, place))))
      throw configError(
        'json_fields',
        `No record of the JSON has a field for the email address; the fields are ${nameList([...names])}. Name it "email", or say which one it is with {columns}.`,
      );
    reading = people.reading(names, []);
  }
  return { [Symbol.asyncIterator]: users, reading: () => reading };
};

const maxNames = 200;

/** The names of a record, with those inside its records. */
const namesIn = (record: JsonRecord): readonly string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
  );

/** The values of a record that may hold addresses, also one level deeper. */
const addressTextOf = (record: JsonRecord): string =>
  Object.entries(record)
    .flatMap(([name, value]) =>
      isRecord(value) && !isAboutOthers(name) ? Object.entries(value) : [[name, value] as const],
    )
    .map(([name, value]) => (holdsAddresses(name) ? JSON.stringify(value) : ''))
    .join('\n');

/** Finds values by name in any case, and inside a record by a dotted name. */
const lookupIn = (record: JsonRecord): Lookup => {
  const fields = fieldsOf(record);
  return (place) => {
    const wanted = plainName(place);
    if (fields.has(wanted)) return fields.get(wanted);
    const [outer = '', inner] = wanted.split('.');
    const value = inner === undefined ? undefined : fields.get(outer);
    return inner !== undefined && isRecord(value) ? fieldsOf(value).get(inner) : undefined;
  };
};
