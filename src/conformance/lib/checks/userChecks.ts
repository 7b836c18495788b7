import { type Check, stated } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { type Fields, idOf, isFields, mustRefuse, pathOf, readListing, readResource } from '../readers.ts';
import { isText, isTextList, mustMatchWherePresent } from './fieldTypes.ts';
import { createRoleName, createUnitId } from './userReferences.ts';

/** The identity kinds of the interface (2.1). */
const userTypes = ['DirectoryAD', 'DirectoryADExternal', 'UserPass', 'MobileID'];

/** The body of a valid user that no earlier run has created. */
export const newUserBody = (context: CheckContext, changes: Fields = {}): Fields => ({
  type: 'UserPass',
  email: `${context.unique('user')}@conformance.example`,
  firstName: 'Conformance',
  lastName: 'Check',
  roles: [],
  organizationUnits: [],
  ...changes,
});

/** Creates a user; throws a difference if that fails. */
export const createUser = async (context: CheckContext, changes: Fields = {}): Promise<Fields> =>
  readResource(await context.admin('POST', '/v1/users', { body: newUserBody(context, changes) }));

/** The path of a user. */
export const userPath = (user: Fields): string => pathOf('v1', 'users', idOf(user));

const userFields = {
  type: (value: unknown) => userTypes.some((type) => type === value),
  email: isText,
  firstName: isText,
  lastName: isText,
  roles: isTextList,
  organizationUnits: isTextList,
};

export const userChecks: readonly Check[] = [
  stated(
    '2.1',
    'the fields of a listed user have the stated types, and type one of the four identity kinds',
    {
      effect: 'read',
      quotes: [
        '| type | string, enum | Identity kind. Allowed: DirectoryAD, DirectoryADExternal, UserPass, MobileID |',
        '| email | string | E-mail address of the user (<EMAIL>) |',
        '| firstName | string | Given name |',
        '| lastName | string | Family name |',
        '| roles | array of string | Role names assigned to the user |',
        '| organizationUnits | array of string | Identifiers of the OUs the user belongs to |',
      ],
      run: async (context) => {
        const { rows } = readListing(await context.admin('GET', '/v1/users'));
        need(rows.length > 0, 'needs a user in the list');
        for (const user of rows) mustMatchWherePresent(user, userFields);
      },
    },
  ),
  ...userTypes.map((type) =>
    stated('2.1', `a user of the identity kind ${type} can be created`, {
      effect: 'write',
      quotes: [`Allowed: ${userTypes.join(', ')}`],
      run: async (context) => {
        const user = await createUser(context, { type });
        await context.admin('DELETE', userPath(user));
        must(!('type' in user) || user['type'] === type, `a user of type ${type}`, user);
      },
    }),
  ),
  stated('2.1', 'an identity kind outside the four is refused', {
    effect: 'write',
    quotes: [`Allowed: ${userTypes.join(', ')}`],
    run: async (context) => {
      const body = newUserBody(context, { type: 'Pigeon' });
      mustRefuse(await context.admin('POST', '/v1/users', { body }), 'type "Pigeon"');
    },
  }),
  stated('2.1', 'a user is addressed by its identifier in paths', {
    effect: 'read',
    quotes: ['A user is addressed by <userId> in paths.'],
    run: async (context) => {
      const [listed] = readListing(await context.admin('GET', '/v1/users')).rows;
      need(listed !== undefined, 'needs a user in the list');
      const read = readResource(await context.admin('GET', userPath(listed)));
      must(idOf(read) === idOf(listed), 'the user whose identifier the path names', read);
    },
  }),
  stated('4.1', 'GET /v1/users returns a paginated list of users', {
    effect: 'read',
    quotes: ['| GET | /v1/users | none | paginated list of users |'],
    run: async ({ admin }) => {
      const answer = await admin('GET', '/v1/users');
      const { rows, total } = readListing(answer);
      const hasLink = answer.headers['link'] !== undefined;
      must(
        total !== undefined || hasLink || rows.length === 0,
        'a sign of pages: a total or a Link header',
        isFields(answer.json) ? Object.keys(answer.json) : 'a bare list',
      );
    },
  }),
  stated('4.1', 'GET /v1/users pages add up to the total without repeating a user', {
    effect: 'read',
    quotes: ['paginated list of users'],
    run: async ({ admin }) => {
      const ids = new Set<string>();
      const first = readListing(await admin('GET', '/v1/users'));
      need(first.total !== undefined, 'needs a total in the list');
      const mostPages = Math.min(Math.ceil(first.total / Math.max(first.rows.length, 1)), 20);
      for (let page = 1; page <= mostPages; page += 1) {
        const { rows } = readListing(await admin('GET', `/v1/users?page=${page}`));
        for (const user of rows) {
          must(!ids.has(idOf(user)), 'every user once', `user ${idOf(user)} again on page ${page}`);
          ids.add(idOf(user));
        }
      }
      must(mostPages === 20 || ids.size === first.total, `${first.total} users`, `${ids.size} users`);
    },
  }),
  stated('4.1', 'POST /v1/users returns the created user', {
    effect: 'write',
    quotes: [
      '| POST | /v1/users | body: type, email, firstName, lastName, roles, organizationUnits (see 2.1) | the created user |',
    ],
    run: async (context) => {
      const roleName = await createRoleName(context);
      const unitId = await createUnitId(context);
      const body = newUserBody(context, { roles: [roleName], organizationUnits: [unitId] });
      const user = readResource(await context.admin('POST', '/v1/users', { body }));
      mustMatchWherePresent(user, userFields);
      for (const name of ['type', 'email', 'firstName', 'lastName', 'roles', 'organizationUnits'])
        must(
          !(name in user) || JSON.stringify(user[name]) === JSON.stringify(body[name]),
          `${name} as sent: ${JSON.stringify(body[name])}`,
          user[name],
        );
      await context.admin('DELETE', userPath(user));
    },
  }),
  stated('4.1', 'a created user appears in the list and under its own path', {
    effect: 'write',
    quotes: ['| GET | /v1/users/{userId} | none | details of the user |'],
    run: async (context) => {
      const user = await createUser(context);
      const read = readResource(await context.admin('GET', userPath(user)));
      must(idOf(read) === idOf(user), `user ${idOf(user)}`, read);
      must(!('email' in read) || read['email'] === user['email'], 'the created user', read);
      const { total = 0 } = readListing(await context.admin('GET', '/v1/users'));
      await context.admin('DELETE', userPath(user));
      const after = readListing(await context.admin('GET', '/v1/users')).total ?? 0;
      must(total === 0 || total === after + 1, 'one user more while it exists', {
        with: total,
        without: after,
      });
    },
  }),
  stated('4.1', 'GET /v1/users/{userId} of a user that does not exist is refused', {
    effect: 'read',
    quotes: ['| GET | /v1/users/{userId} | none | details of the user |'],
    run: async ({ admin }) => mustRefuse(await admin('GET', '/v1/users/2147480000'), 'an unknown user'),
  }),
];
