import { type DesiredUser, isPortalError, usersFromCsv, usersFromJson } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { planSync } from '../../src/portal-client/lib/sync/plan.ts';
import type { SyncPort } from '../../src/portal-client/lib/sync/tenant.ts';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';

/** A small generator of reproducible random numbers (mulberry32). */
const seeded = (start: number) => {
  let state = start;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (below: number) => Math.floor(next() * below);
};

type Random = ReturnType<typeof seeded>;

const people = Array.from({ length: 14 }, (_, number) => ({
  email: `${['ana', 'bram', 'zoë', 'dörte'][number % 4]}.n${'abcdefghijklmn'.charAt(number)}@acme.example`,
  firstName: ['Ana', 'Bram', 'Zoë', "D'Örte"][number % 4] ?? '',
  lastName: `Name ${'ABCDEFGHIJKLMN'.charAt(number)}`,
  isActive: number % 5 !== 3,
}));
/** In the tenant, and in no file: the ones whom every file removes. */
const former = ['former.one@acme.example', 'former.two@acme.example'];

async function* rowsOf<TRow>(rows: readonly TRow[]) {
  yield* rows;
}

const users = [...people.map(({ email }) => email), ...former].map((email, id) => ({
  id: String(id),
  email,
  type: 'UserPass',
  firstName: 'F',
  lastName: 'L',
  roles: ['Viewer'],
  organizationUnits: [],
}));
const roles = [{ id: '1', name: 'Viewer', type: 'Report', code: null, description: '' }];

const tenant = {
  baseUrl: 'memory:',
  list: (operation: string) => () =>
    rowsOf<object>(operation === 'listUsers' ? users : operation === 'listRoles' ? roles : []),
  insist: () => Promise.reject(new Error('Planning only reads lists.')),
  // The rows are those of the operations.
} as unknown as SyncPort;

const table = (header: string, row: (person: (typeof people)[number]) => string) =>
  `${[header, ...people.map(row)].join('\n')}\n`;

const files: Record<string, { text: string; delimiter?: string }> = {
  'our own fields': {
    text: table(
      'email,firstName,lastName,roles,active',
      ({ email, firstName, lastName, isActive }) => `${email},${firstName},"${lastName}",Viewer,${isActive}`,
    ),
    delimiter: ',',
  },
  'a state before the names': {
    text: table(
      'active;email;firstName;lastName;notes',
      ({ email, firstName, lastName, isActive }) =>
        `${isActive ? 'ja' : 'nein'};${email};${firstName};${lastName};"some, ""notes"""`,
    ),
    delimiter: ';',
  },
  'Entra ID': {
    text: table(
      'userPrincipalName,displayName,surname,mail,givenName,userType,accountEnabled,department',
      ({ email, firstName, lastName, isActive }) =>
        `${email},${firstName} ${lastName},${lastName},${email},${firstName},Member,${isActive ? 'True' : 'False'},Sales`,
    ),
    delimiter: ',',
  },
  'Active Directory': {
    text: `#TYPE Microsoft.ActiveDirectory.Management.ADUser\n${table(
      '"DistinguishedName","Enabled","GivenName","mail","SamAccountName","Surname","UserPrincipalName"',
      ({ email, firstName, lastName, isActive }) =>
        `"CN=${lastName},DC=acme","${isActive ? 'True' : 'False'}","${firstName}","${email}","x","${lastName}","${email}"`,
    )}`,
    delimiter: ',',
  },
  Okta: {
    text: table(
      'User Id\tUsername\tPrimary email\tFirst name\tLast name\tStatus',
      ({ email, firstName, lastName, isActive }) =>
        `00u\t${email}\t${email}\t${firstName}\t${lastName}\t${isActive ? 'ACTIVE' : 'DEPROVISIONED'}`,
    ),
    delimiter: '\t',
  },
  NDJSON: {
    text: people
      .map(({ email, firstName, isActive }) => `${JSON.stringify({ email, firstName, active: isActive })}\n`)
      .join(''),
  },
  JSON: {
    text: JSON.stringify(
      { users: people.map(({ isActive, ...person }) => ({ ...person, active: isActive })) },
      undefined,
      1,
    ),
  },
  SCIM: {
    text: JSON.stringify({
      totalResults: people.length,
      Resources: people.map(({ email, firstName, lastName, isActive }) => ({
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName: email,
        name: { givenName: firstName, familyName: lastName },
        emails: [{ value: email, primary: true }],
        active: isActive,
      })),
    }),
  },
};

/** Positions of a text that are not inside an address. */
const outsideAddresses = (text: string): readonly number[] => {
  const inside = new Set(
    [...text.matchAll(/[^\s,;"]+@[^\s,;"]+/g)].flatMap(({ index, 0: address }) =>
      Array.from({ length: address.length + 1 }, (_, at) => index + at),
    ),
  );
  return Array.from({ length: text.length }, (_, at) => at).filter((at) => !inside.has(at));
};

const insertAt = (text: string, at: number, piece: string) => text.slice(0, at) + piece + text.slice(at);
const removeAt = (text: string, at: number, length = 1) => text.slice(0, at) + text.slice(at + length);
const removeOne = (text: string, character: string, random: Random) => {
  const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => text[at] === character);
  const at = places[random(Math.max(1, places.length))];
  return at === undefined ? text : removeAt(text, at);
};

type Damage = (text: string, random: Random, delimiter: string) => string | Uint8Array;

/**
 * Damage that leaves a trace. Another letter inside an address makes another address, and a line that is missing as a whole
 * leaves no trace either: against those there are the limits of removals.
 */
const damages: Record<string, Damage> = {
  'a quotation mark more': (text, random) => insertAt(text, random(text.length), '"'),
  'a quotation mark less': (text, random) => removeOne(text, '"', random),
  'a delimiter more': (text, random, delimiter) => insertAt(text, random(text.length), delimiter),
  'a delimiter less': (text, random, delimiter) => removeOne(text, delimiter, random),
  'a line break more': (text, random) => insertAt(text, random(text.length), '\n'),
  'a line break less': (text, random) => removeOne(text, '\n', random),
  'a bracket': (text, random) => insertAt(text, random(text.length), '<>[]{}()'.charAt(random(8))),
  'a control character': (text, random) =>
    insertAt(text, random(text.length), '\0\u0007\u200b\u202e'.charAt(random(4))),
  'a lost character': (text, random) => {
    const at = random(text.length);
    return `${text.slice(0, at)}\uFFFD${text.slice(at + 1)}`;
  },
  'another character outside addresses': (text, random) => {
    const places = outsideAddresses(text);
    const at = places[random(places.length)] ?? 0;
    return `${text.slice(0, at)}${String.fromCharCode(33 + random(90))}${text.slice(at + 1)}`;
  },
  'a cell less': (text, random, delimiter) => {
    const lines = text.split('\n');
    const row = 1 + random(lines.length - 2);
    const cells = lines[row]?.split(delimiter) ?? [];
    lines[row] = cells.toSpliced(random(cells.length), 1).join(delimiter);
    return lines.join('\n');
  },
  'a line twice': (text, random) => {
    const lines = text.split('\n');
    const line = random(lines.length);
    return lines.toSpliced(line, 0, lines[line] ?? '').join('\n');
  },
  'the end cut off in the middle of a line': (text, random, delimiter) => {
    const at = 1 + random(text.length - 2);
    const lastDelimiter = text.lastIndexOf(delimiter, text.indexOf('\n', at) - 1);
    const begin = text.lastIndexOf('\n', at);
    return text.slice(0, Math.max(begin + 2, Math.min(at, lastDelimiter)));
  },
  'a byte that is no UTF-8': (text, random) => {
    const bytes = new TextEncoder().encode(text);
    bytes[random(bytes.length)] = 0xff;
    return bytes;
  },
  'read as Latin-1': (text) => new TextDecoder('latin1').decode(new TextEncoder().encode(text)),
  'without a byte order mark in UTF-16': (text) => new Uint8Array(Buffer.from(text, 'utf16le')),
};

const removalsOf = async (name: string, text: string | Uint8Array): Promise<readonly string[]> => {
  const read = /JSON|SCIM/.test(name) ? usersFromJson : usersFromCsv;
  const plan = await planSync(
    tenant,
    { users: read(text) },
    { missing: 'delete', defaults: { type: 'UserPass' } },
  );
  return plan.actions.filter(({ action }) => action === 'delete').map(({ key }) => key);
};

const cases = sized(250, 10_000);

describe('a damaged file', () => {
  it(`removes nobody whom the undamaged one keeps, in ${cases} files`, async () => {
    const random = seeded(seed);
    const expected = new Map<string, readonly string[]>();
    for (const [name, { text }] of Object.entries(files)) expected.set(name, await removalsOf(name, text));
    for (const removed of expected.values()) expect(removed).toHaveLength(3 + former.length);
    const outcomes = { planned: 0, refused: 0 };
    const wrong: unknown[] = [];
    for (let number = 0; number < cases; number += 1) {
      const names = Object.keys(files);
      const name = names[random(names.length)] ?? '';
      const kinds = Object.keys(damages);
      const kind = kinds[random(kinds.length)] ?? '';
      const { text = '', delimiter = ',' } = files[name] ?? {};
      const damaged = damages[kind]?.(text, random, delimiter) ?? text;
      try {
        const removed = await removalsOf(name, damaged);
        outcomes.planned += 1;
        const more = removed.filter((key) => expected.get(name)?.includes(key) !== true);
        if (more.length > 0) wrong.push({ name, kind, more, damaged, number });
      } catch (error) {
        outcomes.refused += 1;
        if (!isPortalError(error)) wrong.push({ name, kind, error, damaged });
      }
    }
    expect({ seed, wrong: wrong.slice(0, 3) }).toEqual({ seed, wrong: [] });
    // Both happen, or the files were not damaged.
    expect(Math.min(outcomes.planned, outcomes.refused)).toBeGreaterThan(cases / 20);
  });

  it('control: a reader that drops bad rows removes more', async () => {
    const random = seeded(seed);
    const { text = '' } = files['our own fields'] ?? {};
    async function* careless(source: string): AsyncGenerator<DesiredUser> {
      for await (const user of usersFromCsv(source))
        if (user.problem === undefined && user.email.includes('@')) yield user;
    }
    let more = 0;
    for (let number = 0; number < 50; number += 1) {
      const damaged = removeOne(text, '\n', random);
      const plan = await planSync(tenant, { users: careless(damaged) }, { missing: 'delete' }).catch(
        () => undefined,
      );
      more += (plan?.counts.delete ?? 0) > 3 + former.length ? 1 : 0;
    }
    expect(more).toBeGreaterThan(0);
  });
});
