import { readFileSync } from 'node:fs';
import { type DesiredUser, knownExportNames, usersFromCsv, usersFromJson } from '@vitrine/portal-client';
import { describe, expect, it } from 'vitest';

/** Two files of each known export, as its directory writes them, with invented people. */
interface Fixture {
  readonly source: (typeof knownExportNames)[number];
  readonly readAs: string;
  readonly file: string;
  /** Address, first name, last name, and whether they are active. */
  readonly people: readonly (readonly [string, string | undefined, string | undefined, boolean?])[];
  readonly skippedFirst?: string;
}

const csv = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n`;

const entraHeader =
  'userPrincipalName,displayName,surname,mail,givenName,id,userType,jobTitle,department,accountEnabled,usageLocation,streetAddress,state,country,creationType,directorySynced,invitationState,createdDateTime';
const bulkHeader =
  'Name [displayName] Required,User name [userPrincipalName] Required,Initial password [passwordProfile] Required,Block sign in (Yes/No) [accountEnabled] Required,First name [givenName],Last name [surname],Job title [jobTitle]';
const googleHeader =
  'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],Org Unit Path [Required],New Primary Email [UPLOAD ONLY],Status [READ ONLY],Last Sign In [READ ONLY],Recovery Email,Employee ID,Department';
const adHeader =
  '"DistinguishedName","Enabled","GivenName","mail","Name","ObjectClass","ObjectGUID","SamAccountName","SID","Surname","UserPrincipalName"';

const fixtures: readonly Fixture[] = [
  {
    source: 'entra',
    readAs: 'Microsoft Entra ID users',
    file: csv([
      entraHeader,
      'ana.adler@acme.example,Ana Adler,Adler,ana.adler@acme.example,Ana,0d0c,Member,Buyer,Sales,True,NL,,North,,,,,2021-02-01T08:00:00Z',
      'bram.holm@acme.example,Bram Holm,Holm,,Bram,0d0d,Member,,Sales,False,NL,,,,,,,2020-02-01T08:00:00Z',
      'guest_partner.example#EXT#@acme.onmicrosoft.example,Guest,,guest@partner.example,,0d0e,Guest,,,True,,,,,Invitation,,Accepted,',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
      ['guest@partner.example', undefined, undefined, true],
    ],
    skippedFirst: 'state',
  },
  {
    source: 'entra',
    readAs: 'Microsoft Entra ID users',
    file: JSON.stringify({
      '@odata.context': 'https://graph.example/v1.0/$metadata#users',
      value: [
        {
          businessPhones: [],
          displayName: 'Ana Adler',
          givenName: 'Ana',
          jobTitle: null,
          mail: 'Ana.Adler@acme.example',
          surname: 'Adler',
          userPrincipalName: 'aadler@corp.acme.example',
          id: '0d0c',
        },
        {
          businessPhones: [],
          givenName: 'Room',
          mail: null,
          surname: null,
          userPrincipalName: 'guest_x#EXT#@acme.example',
        },
      ],
    }),
    people: [
      ['Ana.Adler@acme.example', 'Ana', 'Adler'],
      ['', 'Room', undefined],
    ],
  },
  {
    source: 'entra-bulk',
    readAs: 'Microsoft Entra ID bulk file',
    file: csv([
      'version:v1.0,,,,,,',
      bulkHeader,
      'Example: Chris Green,chris@acme.example,myPassword1234,No,Chris,Green,',
      'Ana Adler,ana.adler@acme.example,x,No,Ana,Adler,Buyer',
      'Bram Holm,bram.holm@acme.example,x,Yes,Bram,Holm,',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
    ],
  },
  {
    source: 'entra-bulk',
    readAs: 'Microsoft Entra ID bulk file',
    file: csv([
      'version:v1.0',
      'Name [displayName] Erforderlich;Benutzername [userPrincipalName] Erforderlich;Anmeldung blockieren (Ja/Nein) [accountEnabled] Erforderlich;Vorname [givenName];Nachname [surname]',
      'Beispiel: Chris Green;chris@acme.example;Nein;Chris;Green',
      'Jörg Weiß;joerg.weiss@acme.example;Nein;Jörg;Weiß',
      'Bram Holm;bram.holm@acme.example;Ja;Bram;Holm',
    ]),
    people: [
      ['joerg.weiss@acme.example', 'Jörg', 'Weiß', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
    ],
  },
  {
    source: 'entra',
    readAs: 'Microsoft 365 users',
    file: csv([
      'Block credential,City,Department,Display name,First name,Last name,Licenses,Proxy addresses,Soft deletion time stamp,Title,User principal name,When created',
      'False,Vienna,Sales,Ana Adler,Ana,Adler,E3,SMTP:ana.adler@acme.example+smtp:aadler@acme.example,,Buyer,ana.adler@acme.example,2021-02-01 08:00:00Z',
      'True,,,Bram Holm,Bram,Holm,Unlicensed,,,,bram.holm@acme.example,2020-02-01 08:00:00Z',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
    ],
  },
  {
    source: 'entra',
    readAs: 'Microsoft 365 users',
    file: 'Display name\tUser principal name\tBlock credential\tFirst name\tLast name\nAna\tana.adler@acme.example\tfalse\tAna\tAdler\n',
    people: [['ana.adler@acme.example', 'Ana', 'Adler', true]],
  },
  {
    source: 'active-directory',
    readAs: 'Active Directory (Get-ADUser) export',
    file: csv([
      '#TYPE Microsoft.ActiveDirectory.Management.ADUser',
      adHeader,
      '"CN=Ana Adler,OU=Sales,DC=acme,DC=example","True","Ana","ana.adler@acme.example","Ana Adler","user","0d0c","aadler","S-1-5-21-1","Adler","aadler@corp.acme.example"',
      '"CN=Bram Holm,OU=Former,DC=acme,DC=example","False","Bram",,"Bram Holm","user","0d0d","bholm","S-1-5-21-2","Holm","bram.holm@acme.example"',
      '"CN=svc,DC=acme,DC=example","True",,,"svc","user","0d0e","svc","S-1-5-21-3",,',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
      ['', undefined, undefined, true],
    ],
  },
  {
    source: 'active-directory',
    readAs: 'Active Directory (Get-ADUser) export',
    file: csv([
      'SamAccountName;EmailAddress;GivenName;Surname;Enabled',
      'aadler;ana.adler@acme.example;Ana;Adler;Wahr',
      'bholm;bram.holm@acme.example;Bram;Holm;Falsch',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
    ],
  },
  {
    source: 'google',
    readAs: 'Google Workspace users',
    file: csv([
      googleHeader,
      'Ana,Adler,ana.adler@acme.example,****,,/Sales/North,,Active,2026/11/20 08:00:00,,7,Sales',
      'Bram,Holm,bram.holm@acme.example,****,,/,,Suspended,Never logged in,,8,Sales',
      'Celine,Olsen,celine.olsen@acme.example,****,,/,,Archived,Never logged in,,9,',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
      ['celine.olsen@acme.example', 'Celine', 'Olsen', false],
    ],
  },
  {
    source: 'google',
    readAs: 'Google Workspace users',
    file: csv([
      'First Name [Required],Last Name [Required],Email Address [Required],Org Unit Path [Required],Status [READ ONLY]',
      'Ana,"Adler, Jr",ana.adler@acme.example,/Sales,active',
    ]),
    people: [['ana.adler@acme.example', 'Ana', 'Adler, Jr', true]],
  },
  {
    source: 'google',
    readAs: 'Google Workspace users',
    file: JSON.stringify({
      kind: 'admin#directory#users',
      users: [
        {
          primaryEmail: 'ana.adler@acme.example',
          name: { givenName: 'Ana', familyName: 'Adler', fullName: 'Ana Adler' },
          suspended: false,
          archived: false,
          orgUnitPath: '/',
          emails: [{ address: 'aadler@acme.example' }, { address: 'ana.adler@acme.example', primary: true }],
        },
        {
          primaryEmail: 'bram.holm@acme.example',
          name: { givenName: 'Bram', familyName: 'Holm' },
          suspended: false,
          archived: true,
          orgUnitPath: '/Sales/North',
        },
      ],
    }),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
    ],
  },
  {
    source: 'google',
    readAs: 'Google Workspace users',
    file: csv([
      'primaryEmail,name.givenName,name.familyName,suspended,orgUnitPath',
      'ana.adler@acme.example,Ana,Adler,False,/Sales',
      'bram.holm@acme.example,Bram,Holm,True,/',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
    ],
  },
  {
    source: 'okta',
    readAs: 'Okta users',
    file: csv([
      'User Id,Username,Primary email,First name,Last name,Status',
      '00u1,ana.adler@acme.example,ana.adler@acme.example,Ana,Adler,ACTIVE',
      '00u2,bram.holm@acme.example,bram.holm@acme.example,Bram,Holm,DEPROVISIONED',
      '00u3,celine.olsen@acme.example,,Celine,Olsen,PASSWORD_EXPIRED',
      '00u4,dorte.brandt@acme.example,dorte.brandt@acme.example,Dorte,Brandt,SUSPENDED',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
      ['celine.olsen@acme.example', 'Celine', 'Olsen', true],
      ['dorte.brandt@acme.example', 'Dorte', 'Brandt', false],
    ],
  },
  {
    source: 'okta',
    readAs: 'Okta users',
    file: csv([
      'Username;Primary email;First name;Last name;Status;Groups',
      'aadler;ana.adler@acme.example;Ana;Adler;Locked out;Everyone',
      'bholm;bram.holm@acme.example;Bram;Holm;Deactivated;Everyone',
      'new;new@acme.example;New;One;Staged;',
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
      ['new@acme.example', 'New', 'One', false],
    ],
    skippedFirst: 'Groups',
  },
  {
    source: 'okta',
    readAs: 'Okta users',
    file: JSON.stringify([
      {
        id: '00u1',
        status: 'ACTIVE',
        profile: { login: 'aadler', email: 'ana.adler@acme.example', firstName: 'Ana', lastName: 'Adler' },
      },
      {
        id: '00u2',
        status: 'SUSPENDED',
        profile: { login: 'bram.holm@acme.example', email: '', firstName: 'Bram', lastName: 'Holm' },
      },
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', false],
    ],
  },
  {
    source: 'okta',
    readAs: 'Okta users',
    file: '{"status":"RECOVERY","profile":{"login":"a","email":"ana.adler@acme.example"}}\n{"status":"DEPROVISIONED","profile":{"email":"bram.holm@acme.example"}}\n',
    people: [
      ['ana.adler@acme.example', undefined, undefined, true],
      ['bram.holm@acme.example', undefined, undefined, false],
    ],
  },
  {
    source: 'keycloak',
    readAs: 'Keycloak users',
    file: JSON.stringify([
      {
        id: '0d0c',
        createdTimestamp: 1_700_000_000_000,
        username: 'aadler',
        enabled: true,
        totp: false,
        emailVerified: true,
        firstName: 'Ana',
        lastName: 'Adler',
        email: 'ana.adler@acme.example',
        requiredActions: [],
      },
      { id: '0d0d', createdTimestamp: 1, username: 'bram.holm@acme.example', enabled: false },
    ]),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', undefined, undefined, false],
    ],
  },
  {
    source: 'keycloak',
    readAs: 'Keycloak users',
    file: JSON.stringify({
      realm: 'acme',
      enabled: true,
      groups: [{ name: 'Sales' }],
      users: [
        {
          username: 'aadler',
          email: 'ana.adler@acme.example',
          enabled: true,
          realmRoles: ['admin'],
          groups: ['/Sales'],
        },
      ],
    }),
    people: [['ana.adler@acme.example', undefined, undefined, true]],
    skippedFirst: 'realmRoles',
  },
  {
    source: 'scim',
    readAs: 'SCIM 2.0 users',
    file: readFileSync(new URL('support/scimUsers.json', import.meta.url), 'utf8'),
    people: [
      ['ana.adler@acme.example', 'Ana', 'Adler', true],
      ['bram.holm@acme.example', 'Bram', 'Holm', true],
      ['celine.olsen@acme.example', 'Céline', 'Olsen', true],
      ['only@acme.example', undefined, undefined, false],
    ],
  },
  {
    source: 'scim',
    readAs: 'SCIM 2.0 users',
    file: JSON.stringify({
      Schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: '1',
      Resources: [
        {
          UserName: 'aadler',
          Emails: [{ Value: 'ana.adler@acme.example', Type: 'Work' }, { Value: 'ana@private.example' }],
          Active: 'False',
        },
      ],
    }),
    people: [['ana.adler@acme.example', undefined, undefined, false]],
  },
];

const collect = async (users: AsyncIterable<DesiredUser>) => {
  const all: DesiredUser[] = [];
  for await (const user of users) all.push(user);
  return all;
};

describe('the exports of directories', () => {
  it.each(fixtures.map((fixture, index) => ({ ...fixture, number: index })))(
    'are read without options: $source, file $number',
    async ({ source, readAs, file, people, skippedFirst }) => {
      const read = file.startsWith('{') || file.startsWith('[') ? usersFromJson : usersFromCsv;
      const users = read(file);
      const found = await collect(users);
      expect(
        found.map(({ email, firstName, lastName, active }) => [email, firstName, lastName, active]),
      ).toEqual(people.map(([email, firstName, lastName, active]) => [email, firstName, lastName, active]));
      expect(users.reading().readAs).toContain(readAs);
      if (skippedFirst !== undefined) expect(users.reading().skipped[0]).toBe(skippedFirst);
      // The type of a user is never guessed from one of the directory.
      expect(found.every(({ type }) => type === undefined)).toBe(true);
      const named = read(file, { source });
      expect(await collect(named)).toEqual(found);
      expect(named.reading()).toEqual(users.reading());
    },
  );

  it('have two fixtures each', () => {
    for (const name of knownExportNames)
      expect([name, fixtures.filter(({ source }) => source === name).length >= 2]).toEqual([name, true]);
  });

  it('give the unit of the directory, and none for its root', async () => {
    const [file = ''] = fixtures.filter(({ source }) => source === 'google').map((one) => one.file);
    const units = async (options: object) =>
      (await collect(usersFromCsv(file, options))).map(({ organizationUnits }) => organizationUnits);
    expect(await units({})).toEqual([['/Sales/North'], ['/'], ['/']]);
    expect(await units({ columns: { organizationUnits: '' } })).toEqual([undefined, undefined, undefined]);
  });

  it('are read as something else by option', async () => {
    const file = 'Username,Primary email,Status\nana.adler@acme.example,other@acme.example,on leave\n';
    const own = { source: 'okta', columns: { email: 'Username' }, inactive: ['On Leave'] } as const;
    expect(await collect(usersFromCsv(file, own))).toMatchObject([
      { email: 'ana.adler@acme.example', active: false },
    ]);
    expect(await collect(usersFromCsv(file))).toMatchObject([{ active: 'on leave' }]);
  });

  it('say who is not active by a column that is mapped to blocked', async () => {
    const file = 'email,Suspended\nana.adler@acme.example,True\n';
    expect(await collect(usersFromCsv(file, { columns: { blocked: 'Suspended' } }))).toMatchObject([
      { active: false },
    ]);
  });
});
