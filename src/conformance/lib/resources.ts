import { randomUUID } from 'node:crypto';
import type { CheckContext } from './createContext.ts';
import { needed } from './difference.ts';
import { type Fields, idOf, pathOf, readResource } from './readers.ts';

/** A list with resources that can be created. */
export type Creatable = 'users' | 'roles' | 'organization-units' | 'items';

/** An endpoint that creates a resource. */
interface Creation {
  readonly section: string;
  /** Its row of the table of endpoints. */
  readonly row: string;
  /** A valid body, which no earlier run has sent. */
  readonly body: (context: CheckContext) => Fields | Promise<Fields>;
  /** Changes of it that the service must accept and store. */
  readonly accepted: (context: CheckContext) => Promise<readonly Fields[]> | readonly Fields[];
  /** A change that it must refuse. */
  readonly refused: Fields;
}

const typed = (types: readonly string[]): readonly Fields[] => types.map((type) => ({ type }));

export const creations: Readonly<Record<Creatable, Creation>> = {
  users: {
    section: '4.1',
    row: '| POST | /v1/users | body: type, email, firstName, lastName, roles, organizationUnits (see 2.1) | the created user |',
    body: ({ unique }) => ({
      type: 'UserPass',
      email: `${unique('user')}@conformance.example`,
      firstName: 'Conformance',
      lastName: 'Check',
      roles: [],
      organizationUnits: [],
    }),
    accepted: async (context) => {
      const { name } = await create(context, 'roles');
      const unit = await create(context, 'organization-units');
      const kinds = typed(['DirectoryAD', 'DirectoryADExternal', 'UserPass', 'MobileID']);
      return kinds.map((kind) => ({ ...kind, roles: [name], organizationUnits: [idOf(unit)] }));
    },
    refused: { type: 'Pigeon' },
  },
  roles: {
    section: '4.2',
    row: '| POST | /v1/roles | body: name, type, code, description (see 2.2) | the created role |',
    body: ({ unique }) => ({
      name: unique('Role'),
      type: 'System',
      code: unique('role'),
      description: 'Of the checks',
    }),
    accepted: () => typed(['System', 'Report', 'RLS']),
    refused: { type: 'Pigeon' },
  },
  'organization-units': {
    section: '4.3',
    row: '| POST | /v1/organization-units | body: name, parentId, optional directoryGroupId | the created OU |',
    body: async ({ unique, rowsOf }) => {
      const [unit] = await rowsOf('/v1/organization-units');
      // The interface does not show the parent of a unit at the top.
      return { name: unique('Unit'), parentId: idOf(needed(unit, 'an organizational unit')) };
    },
    accepted: ({ target }) => [{}, { directoryGroupId: target.directoryGroupId ?? randomUUID() }],
    refused: { parentId: 'no-such-unit' },
  },
  items: {
    section: '4.4',
    row: '| POST | /v1/items | body: type, workspaceId, reportId, displayName, roles, additionalData (see 2.4) | imports the item into the Tenant |',
    body: ({ unique }) => ({
      type: 'report',
      workspaceId: randomUUID(),
      reportId: randomUUID(),
      displayName: unique('Item'),
      roles: [],
      additionalData: [{ type: 'semanticModel', id: randomUUID(), hasRls: false }],
    }),
    accepted: () => typed(['report', 'dashboard', 'app']),
    refused: { workspaceId: 'north' },
  },
};

/** The body of a valid resource, with changes. */
export const newBody = async (context: CheckContext, list: Creatable, changes?: Fields): Promise<Fields> => ({
  ...(await creations[list].body(context)),
  ...changes,
});

/** Creates a resource; throws a difference if that fails. */
export const create = async (context: CheckContext, list: Creatable, changes?: Fields): Promise<Fields> =>
  readResource(await context.admin('POST', `/v1/${list}`, { body: await newBody(context, list, changes) }));

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
