import { createReadStream, writeFileSync } from 'node:fs';
import {
  type CsvOptions,
  type DesiredUser,
  type JsonOptions,
  type TextSource,
  usersFromCsv,
  usersFromJson,
} from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../cli/support/runCommand.ts';

const collect = async (rows: AsyncIterable<DesiredUser>) => {
  const users: DesiredUser[] = [];
  // Undefined fields equal absent ones; JSON drops them.
  for await (const row of rows) users.push(JSON.parse(JSON.stringify(row)));
  return users;
};
const csv = (text: TextSource, options?: CsvOptions) => collect(usersFromCsv(text, options));
const json = (text: TextSource, options?: JsonOptions) => collect(usersFromJson(text, options));

describe('users from CSV', () => {
  it('match columns by the header in any spelling, and know their line numbers', async () => {
    expect(
      await csv(
        'E-Mail,First name,Last Name,Type,Roles,OUs,Active\na@acme.example,Ada,North,UserPass,Readers|Writers,/Sales,yes\n',
      ),
    ).toEqual([
      {
        email: 'a@acme.example',
        firstName: 'Ada',
        lastName: 'North',
        type: 'UserPass',
        roles: ['Readers', 'Writers'],
        organizationUnits: ['/Sales'],
        active: true,
        origin: 'line 2',
      },
    ]);
  });

  it.each([
    [',', 'a@acme.example,"Readers;Writers"'],
    [';', 'a@acme.example;Readers|Writers'],
    [';', 'a@acme.example;"Readers;Writers"'],
    ['\t', 'a@acme.example\tReaders|Writers'],
  ])('are separated by %j, detected from the header', async (delimiter, line) => {
    expect(await csv(`email${delimiter}roles\n${line}\n`)).toMatchObject([{ roles: ['Readers', 'Writers'] }]);
  });

  it.each([
    ['\uFEFFsep=;\r\n', ';', '\r\n'],
    ['sep=,\n', ',', '\n'],
    ['"sep=|"\r', '|', '\r'],
    ['sep=;;;; \r\n', ';', '\r\n'],
  ])('are separated by what the first line names: %j', async (start, delimiter, newline) => {
    const lines = [['email', 'first; name,'], ['a@acme.example', 'Ada'], ['broken']];
    const text = (count: number) =>
      start +
      lines
        .slice(0, count)
        .map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter) + newline)
        .join('');
    const columns = { firstName: 'first; name,' };
    expect(await csv(text(2), { columns })).toEqual([
      { email: 'a@acme.example', firstName: 'Ada', origin: 'line 3' },
    ]);
    await expect(csv(text(3), { columns })).rejects.toThrow('Line 4 of the CSV');
  });

  it.each([1, 3, 7])('are the same when a stream delivers chunks of %i bytes', async (length) => {
    const text = '\uFEFFemail;first name;roles\na@acme.example;Ada;Readers|Writers\n';
    async function* pieces() {
      for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
    }
    expect(await csv(pieces())).toMatchObject([{ email: 'a@acme.example', roles: ['Readers', 'Writers'] }]);
  });

  it('have an empty list for an empty cell of roles or units, and no value for other empty cells', async () => {
    expect(await csv('email,roles,ous,firstName\na@acme.example,,,\n')).toEqual([
      { email: 'a@acme.example', roles: [], organizationUnits: [], origin: 'line 2' },
    ]);
  });

  it('are rejected for an unknown column unless ignoreColumns is set', async () => {
    const text = 'email,cost center,role(s),notes\na@acme.example,1,Viewer,x\n';
    await expect(csv(text)).rejects.toMatchObject({
      code: 'csv_columns',
      message: expect.stringContaining(
        'unknown columns: "cost center", "role(s)", "notes". Known columns are email, type,',
      ),
    });
    expect(await csv(text, { ignoreColumns: true })).toEqual([{ email: 'a@acme.example', origin: 'line 2' }]);
    expect(await csv(text, { ignoreColumns: true, columns: { roles: 'role(s)' } })).toMatchObject([
      { roles: ['Viewer'] },
    ]);
  });

  it.each([
    [
      'email,roles\na@acme.example,Viewer\nb@acme.example\n',
      'Line 3 of the CSV cannot be read: it has 1 cell, and the header has 2.',
    ],
    ['email\n"a@acme.example\n', 'a quote in line 2 or below is never closed.'],
    [
      'email,roles\na@b.c,"two\nlines"\nd@e.f,"open\ng@h.i,x\nj@k.l,x\n',
      'a quote in line 4 or below is never closed.',
    ],
    ['"email\na@b.c\n', 'a quote in line 1 or below is never closed.'],
    ['email\na"b"@acme.example\n', 'a quote is in the middle of a cell.'],
    ['email\n"a"b@acme.example\n', 'a quote is in the middle of a cell.'],
  ])('describe the error in an invalid CSV: %j', async (text, message) => {
    const error = await csv(text).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'csv_broken', message: expect.stringContaining(message) });
    expect(error).toMatchObject({ message: expect.not.stringContaining('CSV_') });
  });

  it('are read with any line ending', async () => {
    const file = 'email,roles\r\na@acme.example,Viewer\nb@acme.example,"A|B"\r\nc@acme.example,C\r';
    expect(await csv(file)).toMatchObject([
      { email: 'a@acme.example', roles: ['Viewer'], origin: 'line 2' },
      { email: 'b@acme.example', roles: ['A', 'B'], origin: 'line 3' },
      { email: 'c@acme.example', roles: ['C'], origin: 'line 4' },
    ]);
  });

  it('exclude empty rows below a table', async () => {
    const file = 'email;roles;units\r\na@acme.example;Viewer;\r\n;;\r\n ; ;""\r\nb@acme.example;;\r\n;;\r\n';
    expect(await csv(file)).toMatchObject([
      { email: 'a@acme.example', origin: 'line 2' },
      { email: 'b@acme.example', origin: 'line 5' },
    ]);
  });

  it('keep quotes, commas and line breaks in cells', async () => {
    expect(
      await csv('email,"last name","first name"\r\na@acme.example,"O""Neill, Jr","two\nlines"\r\n'),
    ).toMatchObject([{ lastName: 'O"Neill, Jr' }]);
  });

  it('are read from spreadsheet files: UTF-8 with a byte order mark, or UTF-16', async () => {
    const folder = temporaryFolder();
    const text = '\ufeffemail,lastName\nzoë@acme.example,Ångström\n';
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const file = `${folder}/${encoding}.csv`;
      writeFileSync(file, text, encoding);
      expect(await csv(createReadStream(file, { highWaterMark: 7 }))).toMatchObject([
        { email: 'zoë@acme.example', lastName: 'Ångström' },
      ]);
    }
  });

  it('can map columns with unknown names', async () => {
    expect(
      await csv('Kontakt,Mail privat\na@acme.example,b@acme.example\n', {
        columns: { email: 'Kontakt' },
        ignoreColumns: true,
      }),
    ).toMatchObject([{ email: 'a@acme.example' }]);
  });

  it('are rejected when a mapped column is missing', async () => {
    await expect(csv('email,Rolle\na@b.c,Readers\n', { columns: { roles: 'Rollen' } })).rejects.toMatchObject(
      {
        code: 'csv_columns',
        message: expect.stringContaining('no column "Rollen"'),
      },
    );
  });

  it.each<[string, TextSource, string]>([
    ['an empty file', '', 'csv_empty'],
    ['no address column', 'name,roles\nx,y\n', 'csv_columns'],
    ['two address columns', 'email,mail\na@b.c,d@e.f\n', 'csv_columns'],
    ['a quote that is never closed', 'email\n"a@acme.example\nb@acme.example\n', 'csv_broken'],
    ['a line with another number of cells', 'email,roles\na@acme.example\n', 'csv_broken'],
    [
      'characters of another encoding',
      Uint8Array.from([...Buffer.from('email\n'), 0x5a, 0xeb, 0x40, 0x61]),
      'source_not_utf8',
    ],
    ['a truncated character', Uint8Array.from([...Buffer.from('email\na@b.c'), 0xc3]), 'source_not_utf8'],
  ])('are rejected as a whole because of %s', async (_, text, code) => {
    await expect(csv(text)).rejects.toMatchObject({ name: 'PortalError', kind: 'config', code });
  });

  it('are empty for a file with only a header', async () => {
    expect(await csv('email,roles\n')).toEqual([]);
  });

  it('pass on the error of their stream', async () => {
    async function* broken() {
      yield 'email\na@acme.example\n';
      throw new Error('the disk is gone');
    }
    await expect(csv(broken())).rejects.toThrow('the disk is gone');
  });
});

describe('users from JSON', () => {
  const ada = { email: 'a@acme.example', firstName: 'Ada', roles: ['Readers'] };

  it.each<[string, TextSource]>([
    ['an array', JSON.stringify([ada, ada])],
    ['an object with users', JSON.stringify({ users: [ada, ada] })],
    ['one line per user', `${JSON.stringify(ada)}\n${JSON.stringify(ada)}\n`],
    [
      'one line per user, without a final line break and with empty lines',
      `\n${JSON.stringify(ada)}\n\n${JSON.stringify(ada)}`,
    ],
    ['a pretty-printed array with a byte order mark', `\ufeff${JSON.stringify([ada, ada], undefined, 2)}`],
  ])('are read from %s', async (_, text) => {
    expect(await json(text)).toMatchObject([ada, ada]);
  });

  it('are read line by line without holding the file in memory', async () => {
    let given = 0;
    async function* lines() {
      for (; given < 1_000; given += 1) yield `${JSON.stringify(ada)}\n`;
    }
    for await (const user of usersFromJson(lines())) {
      expect(user.email).toBe('a@acme.example');
      expect(given).toBeLessThan(5);
      break;
    }
  });

  const scim = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'ada',
    name: { givenName: 'Ada', familyName: 'North' },
    emails: [{ value: 'private@home.example' }, { value: 'a@acme.example', primary: true }],
    roles: [{ value: 'Readers' }, { display: 'Writers' }],
    active: false,
  };

  it('are read from SCIM 2.0 users, alone or as a ListResponse', async () => {
    const expected = {
      email: 'a@acme.example',
      firstName: 'Ada',
      lastName: 'North',
      roles: ['Readers', 'Writers'],
      active: false,
    };
    expect(await json(JSON.stringify(scim))).toMatchObject([expected]);
    expect(await json(JSON.stringify({ totalResults: 1, Resources: [scim] }))).toMatchObject([expected]);
    expect(await json(JSON.stringify([{ ...scim, emails: [], userName: 'b@acme.example' }]))).toMatchObject([
      { email: 'b@acme.example' },
    ]);
  });

  it.each<[string, string, string]>([
    ['an empty file', '', 'json_broken'],
    ['a string', '"users"', 'json_shape'],
    ['an object without users', '{"count": 5}', 'json_shape'],
    ['an invalid array', '[{"email":"a@acme.example"}', 'json_broken'],
    ['an invalid line', '{"email":"a@acme.example"}\n{"email"\n', 'json_broken'],
    ['a line that is not an object', '{"email":"a@acme.example"}\n5\n', 'json_shape'],
    ['one page of a SCIM list', JSON.stringify({ totalResults: 200, Resources: [scim] }), 'json_incomplete'],
  ])('are rejected as a whole because of %s', async (_, text, code) => {
    await expect(json(text)).rejects.toMatchObject({ kind: 'config', code });
  });

  it.each([
    [
      '{"email":"a@acme.example","firstName":5}',
      'has 5 for firstName, which is not text. Put text in quotes.',
    ],
    ['{"email":{"work":"a@acme.example"}}', 'has {"work":"a@acme.exam for email, which is not text.'],
    [
      '{"userName":"a@acme.example","name":{"familyName":true}}',
      'has true for familyName, which is not text.',
    ],
  ])('are rejected for a value of another type: %s', async (record, message) => {
    const stated = (place: string) => ({
      code: 'json_value',
      message: expect.stringContaining(`${place} of the JSON ${message}`),
    });
    await expect(json(`[${record}]`)).rejects.toMatchObject(stated('Entry 1'));
    await expect(json(`{"email":"b@acme.example"}\n${record}\n`)).rejects.toMatchObject(stated('Line 2'));
  });

  it('keep the value of a field that is null', async () => {
    expect(await json('[{"email":"a@acme.example","firstName":null,"active":null}]')).toEqual([
      { email: 'a@acme.example', origin: 'entry 1' },
    ]);
  });

  it('are rejected with a message that starts like a sentence for a broken line', async () => {
    await expect(json('{"email":"a@acme.example"}\n{"email"\n')).rejects.toThrow(
      /^Line 2 of the source is not/,
    );
  });

  it('match the names of fields in any case', async () => {
    const record = { Email: 'a@acme.example', first_name: 'Ada', Roles: ['Readers'], Active: false };
    const expected = { email: 'a@acme.example', firstName: 'Ada', roles: ['Readers'], active: false };
    expect(await json(JSON.stringify([record]))).toMatchObject([expected]);
    expect(await json(JSON.stringify(record, undefined, 2))).toMatchObject([expected]);
    expect(
      await json(
        JSON.stringify([
          {
            Schemas: scim.schemas,
            UserName: 'ada',
            Name: { GivenName: 'Ada' },
            Emails: [{ Value: 'a@acme.example' }],
            Roles: [{ Value: 'Readers' }],
            Active: false,
          },
        ]),
      ),
    ).toMatchObject([expected]);
  });

  it.each<[string, string]>([
    [
      '{"email":"a@acme.example"}\n{"email":"b@acme.example","role":["Viewer"],"Notes":"x"}\n',
      'Line 2 of the JSON has unknown fields: "role", "Notes". Known fields are email, type, firstName, lastName, roles, organizationUnits, active. Correct the source, or set ignoreColumns.',
    ],
    [
      '[{"email":"a@acme.example","isActive":false}]',
      'Entry 1 of the JSON has an unknown field: "isActive".',
    ],
    [JSON.stringify([{ ...scim, organizationUnits: ['/Sales'] }]), 'an unknown field: "organizationUnits".'],
    [JSON.stringify([{ ...scim, name: { firstName: 'Ada' } }]), 'an unknown field: "firstName".'],
  ])('are rejected for an unknown field unless ignoreColumns is set: %s', async (text, message) => {
    await expect(json(text)).rejects.toMatchObject({
      code: 'json_fields',
      message: expect.stringContaining(message),
    });
    const [user] = (await json(text, { ignoreColumns: true })).slice(-1);
    expect(Object.keys(user ?? {})).not.toContain('role');
    expect(user?.email).toMatch(/^[ab]@acme\.example$/);
  });

  it('are rejected for a field that is there twice', async () => {
    const text = '[{"email":"a@acme.example","active":true,"Active":false}]';
    await expect(json(text, { ignoreColumns: true })).rejects.toThrow(
      'Entry 1 of the JSON has active twice.',
    );
  });

  it('are read from the exports of directories, whose other attributes are ignored', async () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const exported = {
      ...scim,
      schemas: [...scim.schemas, enterprise],
      id: '23a35c27-23d3-4c03-b4c5-6443c09e7173',
      externalId: '00ujl29u0le5T6Aj10h7',
      meta: { resourceType: 'User', created: '2026-01-31T08:00:00Z', version: 'W/"1"' },
      displayName: 'Ada North',
      nickName: 'Ada',
      name: {
        ...scim.name,
        formatted: 'Ada North',
        middleName: 'B',
        honorificPrefix: 'Dr',
        honorificSuffix: '',
      },
      title: 'Analyst',
      userType: 'Employee',
      locale: 'en-US',
      timezone: 'Europe/Vienna',
      preferredLanguage: 'en',
      profileUrl: 'https://acme.example/ada',
      password: null,
      phoneNumbers: [{ value: '+43 1', type: 'work' }],
      addresses: [{ type: 'work', locality: 'Vienna' }],
      photos: [],
      ims: [],
      groups: [{ value: '1', display: 'Staff' }],
      entitlements: [],
      x509Certificates: [],
      [enterprise]: { employeeNumber: '7', department: 'Sales', manager: { value: '26118915' } },
      'urn:okta:acme:1.0:user:custom': { costCenter: '1' },
    };
    expect(await json(JSON.stringify({ totalResults: 1, Resources: [exported] }))).toEqual(
      await json(JSON.stringify([scim])),
    );
  });

  it('keep a role without a name, so that the plan can name the row', async () => {
    const roles = [{ type: 'direct' }];
    expect(await json(JSON.stringify([{ ...scim, roles }]))).toMatchObject([{ roles }]);
  });

  it('describe a file that is cut off', async () => {
    await expect(json('[{"email":"a@acme.example"}')).rejects.toThrow(
      'The source is not complete or not valid JSON. Nothing was planned.',
    );
  });

  it('keep a value that is not a list, so that the plan can name the row', async () => {
    expect(await json('[{"email":"a@acme.example","roles":"Readers"}]')).toMatchObject([
      { roles: 'Readers' },
    ]);
  });
});
