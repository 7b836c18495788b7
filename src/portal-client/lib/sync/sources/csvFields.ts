/** Known header names of each field, in lower case without spaces, `-` and `_`. */
export const columnNames = {
  email: ['email', 'emailaddress', 'mail', 'username', 'userprincipalname', 'upn'],
  type: ['type', 'usertype', 'identitytype'],
  firstName: ['firstname', 'givenname', 'forename'],
  lastName: ['lastname', 'familyname', 'surname', 'sn'],
  roles: ['roles', 'role', 'rolenames'],
  organizationUnits: [
    'organizationunits',
    'organizationunit',
    'organisationunits',
    'ous',
    'ou',
    'units',
    'unit',
  ],
  active: ['active', 'isactive', 'enabled'],
} as const;

/** A field of a user in CSV. */
export type CsvField = keyof typeof columnNames;

/** The fields that `usersFromCsv` reads, for a program that maps columns to them. */
export const csvFields = Object.keys(columnNames) as readonly CsvField[];

/** A name as in {@link columnNames}: in lower case without spaces, `.`, `-` and `_`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');
