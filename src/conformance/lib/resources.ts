import { randomUUID } from 'node:crypto';
import type { CheckContext } from './createContext.ts';
import { type Fields, idOf, pathOf, readResource } from './readers.ts';

/** The body of a valid resource of each list, which no earlier run has sent. */
const bodies = {
  users: ({ unique }: CheckContext): Fields => ({
    type: 'UserPass',
    email: `${unique('user')}@conformance.example`,
    firstName: 'Conformance',
    lastName: 'Check',
    roles: [],
    organizationUnits: [],
  }),
  roles: ({ unique }: CheckContext): Fields => ({
    name: unique('Role'),
    type: 'System',
    code: unique('role'),
    description: 'Of the checks',
  }),
  'organization-units': ({ unique }: CheckContext): Fields => ({ name: unique('Unit'), parentId: 'root' }),
  items: ({ unique }: CheckContext): Fields => ({
    type: 'report',
    workspaceId: randomUUID(),
    reportId: randomUUID(),
    displayName: unique('Item'),
    roles: [],
    additionalData: [{ type: 'semanticModel', id: randomUUID(), hasRls: false }],
  }),
};

/** A list with resources that can be created. */
export type Creatable = keyof typeof bodies;

/** The body of a valid resource, with changes. */
export const newBody = (context: CheckContext, list: Creatable, changes: Fields = {}): Fields => ({
  ...bodies[list](context),
  ...changes,
});

/** Creates a resource; throws a difference if that fails. */
export const create = async (context: CheckContext, list: Creatable, changes: Fields = {}): Promise<Fields> =>
  readResource(await context.admin('POST', `/v1/${list}`, { body: newBody(context, list, changes) }));

/** The path of a user. */
export const userPath = (user: Fields): string => pathOf('v1', 'users', idOf(user));

/** Path of a unit's synchronization. */
export const syncPath = (unit: Fields): string => pathOf('v1', 'organization-units', idOf(unit), 'sync');

/** Identifiers of the users that belong to a unit. */
export const membersOf = async ({ rowsOf }: CheckContext, unit: Fields): Promise<readonly string[]> => {
  const members: string[] = [];
  for (let page = 1; page <= 100; page += 1) {
    const users = await rowsOf(`/v1/users?page=${page}&pageSize=50`);
    if (users.length === 0) break;
    const belongs = ({ organizationUnits: units }: Fields) =>
      Array.isArray(units) && units.includes(idOf(unit));
    members.push(...users.filter(belongs).map(idOf));
  }
  return members;
};
