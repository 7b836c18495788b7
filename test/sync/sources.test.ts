import { createReadStream, writeFileSync } from 'node:fs';
import {
  type DesiredUser,
  isPortalError,
  type SourceOptions,
  usersFromCsv,
  usersFromJson,
} from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../commands/support/runCommand.ts';

const collect = async (rows: AsyncIterable<DesiredUser>) => {
  const users: DesiredUser[] = [];
  // Undefined fields equal absent ones; JSON drops them.
  for await (const row of rows) users.push(JSON.parse(JSON.stringify(row)));
  return users;
};
type TextSource = Parameters<typeof usersFromCsv>[0];
const csv = (text: TextSource, options?: SourceOptions) => collect(usersFromCsv(text, options));
const json = (text: TextSource, options?: SourceOptions) => collect(usersFromJson(text, options));

describe('users from CSV', () => {
  it('match columns by the header in any spelling, and know their line numbers', async () => {
    expect(
      await csv(
        'E-Mail,First name,Last Name,Type,Roles,Organization units,Active\na@acme.example,Ada,North,UserPass,Readers|Writers,/Sales,yes\n',
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
    const lines = [
      ['email', 'first; name,'],
      ['a@acme.example', 'Ada'],
    ];
    const text =
      start + lines.map((cells) => cells.map((cell) => `"${cell}"`).join(delimiter) + newline).join('');
    expect(await csv(text, { columns: { firstName: 'first; name,' } })).toEqual([
      { email: 'a@acme.example', firstName: 'Ada', origin: 'line 3' },
    ]);
  });

  it.each([1, 3, 7])('are the same when a stream delivers chunks of %i bytes', async (length) => {
    const text = '\uFEFFemail;first name;roles\na@acme.example;Ada;Readers|Writers\n';
    async function* pieces() {
      for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
    }
    expect(await csv(pieces())).toMatchObject([{ email: 'a@acme.example', roles: ['Readers', 'Writers'] }]);
  });

  it('have an empty list for an empty cell of roles or units, and no value for other empty cells', async () => {
    expect(await csv('email,roles,organizationUnits,firstName\na@acme.example,,,\n')).toEqual([
      { email: 'a@acme.example', roles: [], organizationUnits: [], origin: 'line 2' },
    ]);
  });

  it('keep an unknown word for a state, so that the plan can name the row', async () => {
    const columns = { blocked: 'Sperre' };
    const text = (state: string) => `email,Sperre\na@acme.example,${state}\n`;
    expect(await csv(text('perhaps'), { columns })).toMatchObject([{ active: 'perhaps' }]);
    expect(await csv(text('ja'), { columns })).toEqual([
      { email: 'a@acme.example', active: false, origin: 'line 2' },
    ]);
  });

  it('are read without unknown columns, which are named: what may be meant as a state or roles first', async () => {
    const text =
      'email,cost center,Blocked,rolesNames,role,type of user\na@acme.example,1,yes,Viewer,Viewer,x\n';
    const source = usersFromCsv(text);
    expect(await collect(source)).toEqual([{ email: 'a@acme.example', origin: 'line 2' }]);
    expect(source.reading()).toEqual({
      readAs: 'the fields of a user',
      used: ['email'],
      skipped: ['Blocked', 'rolesNames', 'role', 'cost center', 'type of user'],
      notes: [],
    });
    expect(await csv(text, { columns: { roles: 'role', blocked: 'blocked' } })).toMatchObject([
      { roles: ['Viewer'], active: false },
    ]);
  });

  it('have no value for cells that are missing at the end of a row', async () => {
    const text = 'email,firstName,roles\na@acme.example,Ada,Viewer\nb@acme.example\nc@acme.example,Cleo,,,\n';
    expect(await csv(text)).toMatchObject([
      { roles: ['Viewer'] },
      { email: 'b@acme.example', origin: 'line 3' },
      { email: 'c@acme.example', firstName: 'Cleo' },
    ]);
  });

  it.each([
    ['too many cells', 'b@acme.example,Ben,x,y', 'it has 4 cells, and the header has 3'],
    [
      'an open quote that swallows the next rows',
      '"b@acme.example,Ben\nc@acme.example,Cleo\n",x',
      'a cell holds several lines with an address: a quotation mark may be missing',
    ],
    [
      'fewer cells, and a state that may be of another column',
      'b@acme.example,no',
      'it has only 2 of 3 cells, so what says "not active" may belong to another column',
    ],
  ])('pass on a row with %s, and read the others', async (_, row, problem) => {
    const text = `email,active,lastName\na@acme.example,yes,One\n${row}\nz@acme.example,yes,Two\n`;
    expect(await csv(text)).toMatchObject([
      { email: 'a@acme.example' },
      { email: '', problem },
      { email: 'z@acme.example', lastName: 'Two' },
    ]);
  });

  it('pass on the last row of a file that is cut off', async () => {
    expect(await csv('email,firstName,roles\na@acme.example,Ada,x\nb@acme.example,Be')).toMatchObject([
      { email: 'a@acme.example' },
      { email: '', problem: 'the file ends in the middle of it, and may be cut off' },
    ]);
  });

  it.each([
    ['email\na"b"@acme.example\nc@acme.example\n', 'a"b"@acme.example'],
    ['email\n"a"b@acme.example\nc@acme.example\n', '"a"b@acme.example'],
  ])('keep a quote in the middle of a cell: %j', async (text, email) => {
    expect(await csv(text)).toMatchObject([{ email }, { email: 'c@acme.example' }]);
  });

  it.each([
    ['email\n"a@acme.example\n', 'a quote in line 2 or below is never closed.'],
    [
      'email,roles\na@b.c,"two\nlines"\nd@e.f,"open\ng@h.i,x\nj@k.l,x\n',
      'a quote in line 4 or below is never closed.',
    ],
    ['"email\na@b.c\n', 'a quote in line 1 or below is never closed.'],
  ])('describe the error in an invalid CSV: %j', async (text, message) => {
    const error = await csv(text).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'csv_broken', message: expect.stringContaining(message) });
    expect(error).toMatchObject({ message: expect.not.stringContaining('CSV_') });
  });

  it.each([
    ['"E-Mail\n(dienstlich)";Vorname;Nachname\na@acme.example;Ada;A, B\n', undefined],
    ['"E-Mail (dienstlich)"\tVorname\tNachname\na@acme.example\tAda\tA, B\n', undefined],
    ['E-Mail (dienstlich)#Vorname#Nachname\na@acme.example#Ada#A, B\n', '#'],
  ])('find the delimiter outside quotes, or take the one that is given: %j', async (text, delimiter) => {
    const columns = { email: 'E-Mail (dienstlich)', firstName: 'Vorname', lastName: 'Nachname' };
    expect(await csv(text, { columns, delimiter })).toMatchObject([
      { email: 'a@acme.example', firstName: 'Ada', lastName: 'A, B' },
    ]);
  });

  it.each([
    ['#TYPE Selected.System.String\n', 2, []],
    ['version:v1.0\n', 2, []],
    ['Employees of Acme\n\n', 3, ['The text above the header (line 1) was skipped.']],
    [
      'Employees of Acme;;\nExported on 2026-11-25;;\n',
      3,
      ['The text above the header (line 1) was skipped.', 'The text above the header (line 2) was skipped.'],
    ],
  ])('are read below a header with lines above it: %j', async (above, line, notes) => {
    const source = usersFromCsv(`${above}email;firstName;lastName\na@acme.example;Ada;North\n`);
    expect(await collect(source)).toEqual([
      { email: 'a@acme.example', firstName: 'Ada', lastName: 'North', origin: `line ${line + 1}` },
    ]);
    expect(source.reading().notes).toEqual(notes);
  });

  it('pass on a row above the header, which may be somebody', async () => {
    expect(await csv('b@acme.example,Ben\nemail,firstName\na@acme.example,Ada\n')).toMatchObject([
      { email: '', problem: 'it stands above the header' },
      { email: 'a@acme.example' },
    ]);
  });

  it('show no cell of a file without a header', async () => {
    for (const text of ['ana.adler@acme.example,Ana,Adler\n', 'Ana,Adler,Secret\nBram,Holm,Secret\n']) {
      const error = await csv(text).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: 'csv_columns' });
      expect(String(error)).not.toMatch(/ana|adler|secret|holm/i);
    }
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

  it.each([
    ['UTF-8 with a byte order mark', 'utf8', '\ufeff', undefined],
    ['UTF-16 with a byte order mark', 'utf16le', '\ufeff', undefined],
    ['UTF-16 without one', 'utf16le', '', undefined],
    ['Windows-1252, if the option says so', 'latin1', '', 'windows-1252'],
  ] as const)('are read from %s', async (_, written, mark, encoding) => {
    const file = `${temporaryFolder()}/people.csv`;
    writeFileSync(file, `${mark}email,lastName\nzoë@acme.example,Ångström\n`, written);
    for (const highWaterMark of [7, 65_536])
      expect(await csv(createReadStream(file, { highWaterMark }), { encoding })).toMatchObject([
        { email: 'zoë@acme.example', lastName: 'Ångström' },
      ]);
  });

  it('are read from Shift-JIS, which the message about text that is not UTF-8 names too', async () => {
    // 姓,email and 山 in Shift-JIS.
    const bytes = Buffer.from('90a92c656d61696c0a8e522c6140622e630a', 'hex');
    const columns = { lastName: '姓' };
    expect(await csv(bytes, { encoding: 'shift_jis', columns })).toMatchObject([{ lastName: '山' }]);
    await expect(csv(bytes, { columns })).rejects.toThrow(/windows-1252 .* shift_jis/);
    await expect(csv(bytes, { encoding: 'cp999' })).rejects.toThrow('cannot be read as "cp999"');
  });

  it.each([
    ['xlsx', '504b03041400060008000000210062ee9d68'],
    ['xls', 'd0cf11e0a1b11ae10000'],
  ])('are rejected in a workbook: %s', async (_, hex) => {
    await expect(csv(Buffer.from(hex, 'hex'))).rejects.toThrow('also for an Excel workbook');
  });

  it('can map columns with unknown names', async () => {
    expect(
      await csv('Kontakt,Mail privat\na@acme.example,b@acme.example\n', {
        columns: { email: 'Kontakt' },
      }),
    ).toMatchObject([{ email: 'a@acme.example' }]);
  });

  it('are rejected when a mapped column is missing', async () => {
    await expect(csv('email,Rolle\na@b.c,Readers\n', { columns: { roles: 'Rollen' } })).rejects.toMatchObject(
      {
        code: 'source_columns',
        message: expect.stringContaining('has no "Rollen", which'),
      },
    );
  });

  it('name a missing column of the address, and no cell of a CSV, which may be data', async () => {
    const columns = { email: 'Mail' };
    for (const text of ['ada@acme.example,Ada\nben@acme.example,Ben\n', 'Ada,Adler\nBen,Holm\n']) {
      const error = await csv(text, { columns }).catch((caught: unknown) => String(Object(caught).message));
      expect(error).toMatch(/^The CSV has no header with the column "Mail"\./);
      expect(error).not.toMatch(/ada|adler|acme/i);
    }
    const records = json('[{"name":"Ada","contact":{"mail":"ada@acme.example"}}]', { columns });
    await expect(records).rejects.toThrow(
      'has no "Mail", which the option columns gives for email. Compare the name with those in the source: "name", "contact.mail".',
    );
  });

  it.each<[string, TextSource, string]>([
    ['an empty file', '', 'csv_columns'],
    ['no address column', 'name,roles\nx,y\n', 'csv_columns'],
    ['two address columns', 'email,E-Mail\na@b.c,d@e.f\n', 'source_columns'],
    ['a quote that is never closed', 'email\n"a@acme.example\nb@acme.example\n', 'csv_broken'],
    [
      'characters of another encoding',
      Uint8Array.from([...Buffer.from('email\n'), 0x5a, 0xeb, 0x40, 0x61]),
      'source_encoding',
    ],
    [
      'half of a byte order mark, as in Latin-1',
      Buffer.from('þorp;email\nx;a@b.is\n', 'latin1'),
      'source_encoding',
    ],
    ['a truncated character', Uint8Array.from([...Buffer.from('email\na@b.c'), 0xc3]), 'source_encoding'],
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

  it('pass on the error of a file stream that fails before it is read', async () => {
    const folder = temporaryFolder();
    for (const usersFrom of [usersFromCsv, usersFromJson]) {
      const users = usersFrom(createReadStream(`${folder}/missing`));
      await new Promise((resolve) => setTimeout(resolve, 20));
      await expect(collect(users)).rejects.toMatchObject({ code: 'ENOENT' });
    }
    // Control: a stream without a listener emits the error to nobody.
    const bare = createReadStream(`${folder}/missing`);
    expect(bare.listenerCount('error')).toBe(0);
    bare.on('error', () => undefined);
  });

  it.each(
    `Sperrkennzeichen,Bloqué,Enddatum,Ausgetreten am,Date de départ,Fecha de baja,Data cessazione,AccountExpirationDate,userAccountControl,Soft deletion time stamp,Gekündigt,Ausgeschieden,Offboarded,Retired,Last working day,Separation Date,Actif,Actief,Ativo,Aktywny`.split(
      ',',
    ),
  )('name a column that may say who has left before the rest: %s', async (name) => {
    const source = usersFromCsv(`email;City;Group;${name}\na@acme.example;x;x;x\n`);
    await collect(source);
    expect(source.reading().skipped).toEqual([name, 'Group', 'City']);
  });

  it('read an empty text as an empty list', async () => {
    const text = JSON.stringify([{ email: 'a@acme.example', roles: '', organizationUnits: ' ' }]);
    const [user] = await collect(usersFromJson(text));
    expect(user).toMatchObject({ roles: [], organizationUnits: [] });
  });

  it('name a group before the rest, and a department with it', async () => {
    const source = usersFromCsv('email;Département;Departamento;MemberOf\na@acme.example;x;x;x\n');
    await collect(source);
    expect(source.reading()).toMatchObject({
      skipped: ['MemberOf', 'Département', 'Departamento'],
    });
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
    ['a last line that is cut off', '{"email":"a@acme.example"}\n{"email"', 'json_broken'],
    ['records without an address', '[{"firstName":"Ada"}]', 'json_fields'],
    ['one page of a SCIM list', JSON.stringify({ totalResults: 200, Resources: [scim] }), 'json_incomplete'],
  ])('are rejected as a whole because of %s', async (_, text, code) => {
    await expect(json(text)).rejects.toMatchObject({ kind: 'config', code });
  });

  /** The rows that are read before the end or an error, and the code of the error. */
  const rowsOf = async (text: string, size: number) => {
    async function* pieces() {
      for (let start = 0; start < text.length; start += size) yield text.slice(start, start + size);
    }
    const rows: string[] = [];
    try {
      for await (const { email, lastName } of usersFromJson(pieces())) rows.push(`${email} ${lastName}`);
    } catch (error) {
      return { rows, code: isPortalError(error) ? error.code : String(error) };
    }
    return { rows, code: undefined };
  };
  const people = Array.from({ length: 3 }, (_, number) => ({
    email: `u${number}@acme.example`,
    lastName: `"[{😀\\}],\u0007`,
    phones: [{ number: '1' }],
  }));
  const read = people.map(({ email, lastName }) => `${email} ${lastName}`);

  it.each<[string, string, string | undefined]>([
    ['an array', JSON.stringify(people), undefined],
    ['a response', JSON.stringify({ schemas: ['a'], Resources: people, meta: { b: [1] } }), undefined],
    ['an indented response', JSON.stringify({ value: people, count: 3 }, undefined, 2), undefined],
    ['lines', people.map((one) => JSON.stringify(one)).join('\n'), undefined],
    ['a mark at the end', JSON.stringify({ value: people, '@odata.nextLink': 'x' }), 'json_incomplete'],
    ['a total at the end', JSON.stringify({ Resources: people, totalResults: 4 }), 'json_incomplete'],
    ['a cut end', JSON.stringify({ value: people }).slice(0, -1), 'json_broken'],
    ['a second value', `${JSON.stringify(people)} []`, 'json_broken'],
    ['a second list', JSON.stringify({ users: people, staff: people }), 'json_shape'],
    ['a second list of a known name', JSON.stringify({ users: people, items: people }), 'json_shape'],
  ])('are read in pieces of any size, and checked at the end: %s', async (_, text, code) => {
    for (const size of [1, 7, 64, text.length]) {
      const result = await rowsOf(text, size);
      expect(result.code).toBe(code);
      if (code === undefined) expect(result.rows).toEqual(read);
    }
  });

  it.each(['{"email"', '5', '"b@acme.example"'])(
    'pass on a line that is not a record, and read the others: %s',
    async (line) => {
      const text = `{"email":"a@acme.example"}\n${line}\n{"email":"c@acme.example"}\n`;
      expect(await json(text)).toMatchObject([
        { email: 'a@acme.example' },
        {
          email: '',
          problem: 'it is not a record',
          origin: 'line 2',
        },
        { email: 'c@acme.example' },
      ]);
    },
  );

  it('keep a value of another type, so that the plan can name the row', async () => {
    expect(await json('[{"email":"a@acme.example","firstName":5},{"email":{"work":"x"}}]')).toMatchObject([
      { firstName: 5 },
      { email: { work: 'x' } },
    ]);
  });

  it('keep the value of a field that is null', async () => {
    expect(await json('[{"email":"a@acme.example","firstName":null,"active":null}]')).toEqual([
      { email: 'a@acme.example', origin: 'entry 1' },
    ]);
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

  it.each<[string, readonly string[]]>([
    [
      '{"email":"a@acme.example"}\n{"email":"b@acme.example","Notes":"x","role":["Viewer"]}\n',
      ['role', 'Notes'],
    ],
    ['[{"email":"a@acme.example","isActive":false}]', ['isActive']],
    [JSON.stringify([{ ...scim, organizationUnits: ['/Sales'] }]), ['organizationUnits', 'schemas']],
    [JSON.stringify([{ ...scim, name: { firstName: 'Ada' } }]), ['schemas', 'name.firstName']],
  ])('are read without unknown fields, which are named: %s', async (text, skipped) => {
    const source = usersFromJson(text);
    for (const user of await collect(source)) expect(user).not.toHaveProperty('role');
    expect(source.reading().skipped).toEqual(skipped);
  });

  it.each(['employees', 'Mitarbeiter', 'rows', '0'])(
    'are read from the only list of people: %s',
    async (name) => {
      const list = { company: 'Acme', offices: [{ city: 'Bonn' }], [name]: [ada] };
      expect(await json(JSON.stringify(list))).toMatchObject([ada]);
      // A list under any name may be one of several pages.
      await expect(json(JSON.stringify({ ...list, total: 2 }))).rejects.toMatchObject({
        code: 'json_incomplete',
      });
    },
  );

  it('name the fields of an object without a list of people', async () => {
    await expect(json('{"meta":{},"staff":{"a":1},"tags":["x"]}')).rejects.toThrow(
      'no list of users; its fields are "meta", "staff", "tags".',
    );
    await expect(json('{"staff":[{"Mail":"a@acme.example"}]}')).rejects.toThrow('the fields are "Mail".');
    await expect(json('[{"id":1,"contact":{"mail":"a@acme.example","fax":""}}]')).rejects.toThrow(
      'the fields are "id", "contact.mail", "contact.fax".',
    );
    expect(await json('{"staff":[{"Mail":"a@acme.example"}]}', { columns: { email: 'Mail' } })).toMatchObject(
      [{ email: 'a@acme.example' }],
    );
  });

  it('are not taken from a saved plan', async () => {
    const actions = [{ email: 'a@acme.example', action: 'update' }];
    await expect(json(JSON.stringify({ format: 'vitrine-sync-plan', actions }))).rejects.toThrow('is a plan');
    expect(await json(JSON.stringify({ format: 'other', actions }))).toMatchObject([
      { email: 'a@acme.example' },
    ]);
  });

  it('are rejected when a second list has people, too', async () => {
    const two = (other: object) =>
      json(JSON.stringify({ users: [{ email: 'a@acme.example' }], contractors: [other] }));
    await expect(two({ email: 'b@acme.example' })).rejects.toThrow(
      'several lists of users: "users", "contractors"',
    );
    // Control: a list of something else is no second list.
    expect(await two({ company: 'Acme' })).toHaveLength(1);
  });

  it('are rejected when the list has only changes', async () => {
    const list = { value: [{ mail: 'a@acme.example', userType: 'Member' }] };
    const delta = { ...list, '@odata.deltaLink': 'https://graph.example/x' };
    await expect(json(JSON.stringify(delta))).rejects.toThrow('"@odata.deltaLink" says that this is not');
    // Control: without the mark, it is a list like any other.
    expect(await json(JSON.stringify(list))).toHaveLength(1);
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
