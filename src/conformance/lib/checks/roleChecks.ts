import { type Check, stated } from '../check.ts';
import { must, need } from '../difference.ts';
import { isFields, mustRefuse, mustSucceed, readListing, readResource } from '../readers.ts';
import { isText, mustMatchWherePresent } from './fieldTypes.ts';

/** The role types of the interface (2.2). */
const roleTypes = ['System', 'Report', 'RLS'];

const roleFields = {
  name: isText,
  type: (value: unknown) => roleTypes.some((type) => type === value),
  code: isText,
  description: isText,
};
const allowed = '| type | string, enum | Allowed: System, Report, RLS |';

export const roleChecks: readonly Check[] = [
  stated('2.2', 'the fields of a listed role have the stated types, and type one of the three', {
    effect: 'read',
    quotes: ['| name | string | Display name |', allowed, '| description | string | Free text |'],
    run: async ({ admin }) => {
      const { rows } = readListing(await admin('GET', '/v1/roles'));
      need(rows.length > 0, 'needs a role in the list');
      for (const role of rows) mustMatchWherePresent(role, roleFields);
    },
  }),
  stated('2.2', 'a role type outside System, Report and RLS is refused', {
    effect: 'write',
    quotes: [allowed],
    run: async ({ admin, unique }) => {
      const body = { name: unique('Role'), type: 'Pigeon', code: unique('role'), description: '' };
      mustRefuse(await admin('POST', '/v1/roles', { body }), 'type "Pigeon"');
    },
  }),
  stated('2.2', 'the code of an RLS role is a value for roleNames of an encrypted key', {
    effect: 'mint',
    quotes: [
      '| code | string | Role code; RLS role codes are the values used in roleNames when creating an encrypted key |',
    ],
    run: async ({ mint, rls }) => {
      const { itemId, roleName } = await rls();
      mustSucceed(await mint({ value: { reportId: itemId, roleNames: [roleName] } }));
    },
  }),
  stated('4.2', 'GET /v1/roles returns the list of all roles', {
    effect: 'read',
    quotes: ['| GET | /v1/roles | none | list of all roles in the Tenant |'],
    run: async ({ admin }) => {
      const { rows, total } = readListing(await admin('GET', '/v1/roles'));
      must(total === undefined || total === rows.length, `all ${total} roles`, `${rows.length} rows`);
    },
  }),
  ...roleTypes.map((type) =>
    stated('4.2', `POST /v1/roles returns the created ${type} role, and the list has it`, {
      effect: 'write',
      quotes: ['| POST | /v1/roles | body: name, type, code, description (see 2.2) | the created role |'],
      run: async ({ admin, unique }) => {
        const body = { name: unique('Role'), type, code: unique('code'), description: 'Of the checks' };
        const role = readResource(await admin('POST', '/v1/roles', { body }));
        for (const [name, value] of Object.entries(body))
          must(!(name in role) || role[name] === value, `${name} as sent: ${value}`, role[name]);
        const { rows } = readListing(await admin('GET', '/v1/roles'));
        must(
          rows.some((row) => isFields(row) && row['name'] === body.name && row['code'] === body.code),
          'the created role in the list',
          `${rows.length} roles without it`,
        );
      },
    }),
  ),
];
