import { randomUUID } from 'node:crypto';
import { type Check, writes } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { type Fields, idOf, mustRefuse, mustSucceed, pathOf, readListing, readResource } from '../readers.ts';

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

/** The body of a valid role that no earlier run has created. */
const newRoleBody = ({ unique }: CheckContext, type: string) => ({
  name: unique('Role'),
  type,
  code: unique('role'),
  description: 'Of the checks',
});

/** Creates a role for users and returns its name. */
export const createRoleName = async (context: CheckContext): Promise<string> => {
  const body = newRoleBody(context, 'System');
  mustSucceed(await context.admin('POST', '/v1/roles', { body }), 'creating a role');
  return body.name;
};

/** Creates a unit; throws a difference if that fails. */
export const createUnit = async (context: CheckContext, changes: Fields = {}): Promise<Fields> =>
  readResource(
    await context.admin('POST', '/v1/organization-units', {
      body: { name: context.unique('Unit'), parentId: 'root', ...changes },
    }),
  );

/** Path of a unit's synchronization. */
export const syncPath = (unit: Fields): string => pathOf('v1', 'organization-units', idOf(unit), 'sync');

/** The body of a valid item that no earlier run has imported. */
export const newItemBody = (context: CheckContext, changes: Fields = {}): Fields => ({
  type: 'report',
  workspaceId: randomUUID(),
  reportId: randomUUID(),
  displayName: context.unique('Item'),
  roles: [],
  additionalData: [{ type: 'semanticModel', id: randomUUID(), hasRls: false }],
  ...changes,
});

/** Identifiers of the users that belong to a unit. */
export const membersOf = async (context: CheckContext, unit: Fields): Promise<readonly string[]> => {
  const { total = 0 } = readListing(await context.admin('GET', '/v1/users'));
  const members: string[] = [];
  for (let page = 1; page <= Math.min(Math.ceil(total / 50), 100); page += 1)
    for (const user of readListing(await context.admin('GET', `/v1/users?page=${page}&pageSize=50`)).rows)
      if (Array.isArray(user['organizationUnits']) && user['organizationUnits'].includes(idOf(unit)))
        members.push(idOf(user));
  return members;
};

/** Throws unless the fields that a row shows are as they were sent. */
const mustHaveSent = (row: Fields, sent: Fields): void => {
  for (const [name, value] of Object.entries(sent))
    must(
      !(name in row) || JSON.stringify(row[name]) === JSON.stringify(value),
      `${name} as sent: ${JSON.stringify(value)}`,
      row[name],
    );
};

/** The row of a list with these fields; throws a difference if there is none. */
const findListed = async ({ admin }: CheckContext, path: string, fields: Fields): Promise<Fields> => {
  const { rows } = readListing(await admin('GET', path));
  const found = rows.find((row) => Object.entries(fields).every(([name, value]) => row[name] === value));
  must(found !== undefined, `${JSON.stringify(fields)} in GET ${path}`, `${rows.length} rows without it`);
  return found;
};

const kinds = ['DirectoryAD', 'DirectoryADExternal', 'UserPass', 'MobileID'];

export const peopleChecks: readonly Check[] = [
  writes(
    '4.1 POST /v1/users returns the created user, of each identity kind and of no other',
    [
      '| POST | /v1/users | body: type, email, firstName, lastName, roles, organizationUnits (see 2.1) | the created user |',
      '| GET | /v1/users/{userId} | none | details of the user |',
      `2.1: Allowed: ${kinds.join(', ')}`,
    ],
    async (context) => {
      const { admin } = context;
      for (const type of kinds) {
        const body = newUserBody(context, {
          type,
          roles: [await createRoleName(context)],
          organizationUnits: [idOf(await createUnit(context))],
        });
        const user = readResource(await admin('POST', '/v1/users', { body }));
        mustHaveSent(user, body);
        const read = readResource(await admin('GET', userPath(user)));
        must(idOf(read) === idOf(user), `user ${idOf(user)}`, read);
        mustHaveSent(read, body);
        const { total = 0 } = readListing(await admin('GET', '/v1/users'));
        await admin('DELETE', userPath(user));
        const after = readListing(await admin('GET', '/v1/users')).total ?? 0;
        must(total === 0 || total === after + 1, 'one user more while it exists', { total, after });
      }
      const body = newUserBody(context, { type: 'Pigeon' });
      mustRefuse(await admin('POST', '/v1/users', { body }), 'type "Pigeon"');
    },
  ),
  writes(
    '4.1 PATCH /v1/users/{userId} changes what it names, keeps the rest and returns the updated user',
    [
      "| PATCH | /v1/users/{userId} | changes to the user's details, roles or OU memberships | the updated user |",
    ],
    async (context) => {
      const user = await createUser(context);
      const { type, email, lastName } = user;
      for (const change of [
        { firstName: 'Changed' },
        { roles: [await createRoleName(context)] },
        { organizationUnits: [idOf(await createUnit(context))] },
      ]) {
        const answered = readResource(await context.admin('PATCH', userPath(user), { body: change }));
        must(idOf(answered) === idOf(user), `user ${idOf(user)}`, answered);
        mustHaveSent(answered, change);
        const read = readResource(await context.admin('GET', userPath(user)));
        mustHaveSent(read, { ...change, type, email, lastName });
      }
      await context.admin('DELETE', userPath(user));
    },
  ),
  writes(
    '4.1 DELETE /v1/users/{userId} removes the user permanently',
    ['| DELETE | /v1/users/{userId} | none | permanently removes the user from the Tenant |'],
    async (context) => {
      const path = userPath(await createUser(context));
      mustSucceed(await context.admin('DELETE', path), 'removing a user');
      mustRefuse(await context.admin('GET', path), 'a removed user');
      const body = { firstName: 'Back' };
      mustRefuse(await context.admin('PATCH', path, { body }), 'a change to a removed user');
    },
  ),
  writes(
    '4.2 POST /v1/roles returns the created role, of each type and of no other',
    [
      '| POST | /v1/roles | body: name, type, code, description (see 2.2) | the created role |',
      '2.2: | type | string, enum | Allowed: System, Report, RLS |',
    ],
    async (context) => {
      for (const type of ['System', 'Report', 'RLS']) {
        const body = newRoleBody(context, type);
        mustHaveSent(readResource(await context.admin('POST', '/v1/roles', { body })), body);
        await findListed(context, '/v1/roles', { name: body.name, code: body.code });
      }
      const body = newRoleBody(context, 'Pigeon');
      mustRefuse(await context.admin('POST', '/v1/roles', { body }), 'type "Pigeon"');
    },
  ),
  writes(
    '4.3 POST /v1/organization-units returns the created unit, under its parent and with its group',
    ['| POST | /v1/organization-units | body: name, parentId, optional directoryGroupId | the created OU |'],
    async (context) => {
      const parentId = idOf(await createUnit(context));
      const directoryGroupId = context.target.directoryGroupId ?? randomUUID();
      const sent = { name: context.unique('Unit'), parentId, directoryGroupId };
      mustHaveSent(await createUnit(context, sent), sent);
      await findListed(context, '/v1/organization-units', { name: sent.name, parentId });
      const body = { name: context.unique('Unit'), parentId: 'no-such-unit' };
      mustRefuse(await context.admin('POST', '/v1/organization-units', { body }), 'an unknown parent');
    },
  ),
  writes(
    '4.3 POST /v1/organization-units/{ouId}/sync adds the members of the linked group to the unit',
    [
      '| POST | /v1/organization-units/{ouId}/sync | none | triggers an immediate synchronization with the linked security group of the identity directory |',
    ],
    async (context) => {
      const { directoryGroupId } = context.target;
      mustRefuse(await context.admin('POST', syncPath({ id: 'no-such-unit' })), 'an unknown unit');
      need(directoryGroupId !== undefined, 'needs a security group with members (--directory-group-id)');
      const unit = await createUnit(context, { directoryGroupId });
      must((await membersOf(context, unit)).length === 0, 'no members before the synchronization', 'members');
      mustSucceed(await context.admin('POST', syncPath(unit)), 'synchronizing');
      const members = await membersOf(context, unit);
      must(members.length > 0, 'members after the synchronization', members);
    },
  ),
  writes(
    '4.4 POST /v1/items imports the item into the tenant, with the fields that were sent',
    [
      '| POST | /v1/items | body: type, workspaceId, reportId, displayName, roles, additionalData (see 2.4) | imports the item into the Tenant |',
      '2.4: An item is a report, dashboard or app imported from the BI platform.',
    ],
    async (context) => {
      for (const type of ['report', 'dashboard', 'app']) {
        const body = newItemBody(context, { type });
        mustSucceed(await context.admin('POST', '/v1/items', { body }), `importing a ${type}`);
        const { displayName } = body;
        mustHaveSent(await findListed(context, '/v1/items', { displayName }), body);
      }
      const body = newItemBody(context, { workspaceId: 'north' });
      mustRefuse(await context.admin('POST', '/v1/items', { body }), 'workspaceId "north"');
    },
  ),
  writes(
    '5 a change without a key, or with a body that is not JSON, is refused and changes nothing',
    [
      'The Tenant API Key is sent as a Bearer token in the Authorization header of every request',
      '4: Bodies are JSON.',
    ],
    async (context) => {
      const { admin } = context;
      const before = readListing(await admin('GET', '/v1/roles')).rows.length;
      for (const request of [
        { body: newRoleBody(context, 'System'), authorization: null },
        { body: '{"name": "half' },
        { body: 'name=North&type=RLS' },
      ])
        mustRefuse(await admin('POST', '/v1/roles', request), 'a change without a key or without JSON');
      const after = readListing(await admin('GET', '/v1/roles')).rows.length;
      must(after === before, `${before} roles`, `${after} roles`);
    },
  ),
];
