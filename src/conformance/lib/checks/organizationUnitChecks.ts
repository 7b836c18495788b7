import { type Check, stated } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, need } from '../difference.ts';
import { type Fields, idOf, mustRefuse, mustSucceed, pathOf, readListing, readResource } from '../readers.ts';
import { isGuid, isText, mustMatchWherePresent } from './fieldTypes.ts';

/** Creates a unit; throws a difference if that fails. */
export const createUnit = async (context: CheckContext, changes: Fields = {}): Promise<Fields> =>
  readResource(
    await context.admin('POST', '/v1/organization-units', {
      body: { name: context.unique('Unit'), parentId: 'root', ...changes },
    }),
  );

/** Path of a unit's synchronization. */
export const syncPath = (unit: Fields): string => pathOf('v1', 'organization-units', idOf(unit), 'sync');

const listUnits = async ({ admin }: CheckContext) =>
  readListing(await admin('GET', '/v1/organization-units'));

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

const creates =
  '| POST | /v1/organization-units | body: name, parentId, optional directoryGroupId | the created OU |';
const syncs =
  '| POST | /v1/organization-units/{ouId}/sync | none | triggers an immediate synchronization with the linked security group of the identity directory |';

export const organizationUnitChecks: readonly Check[] = [
  stated('2.3', 'the fields of a listed unit have the stated types', {
    effect: 'read',
    quotes: [
      '| name | string | Name of the OU |',
      '| directoryGroupId | string (GUID), optional | Identifier of a linked security group in the identity directory, used for synchronization |',
    ],
    run: async (context) => {
      const { rows } = await listUnits(context);
      need(rows.length > 0, 'needs an organizational unit in the list');
      for (const unit of rows)
        mustMatchWherePresent(unit, { name: isText, parentId: isText, directoryGroupId: isGuid });
    },
  }),
  stated(
    '2.3',
    'units form a hierarchy: every parentId names a unit of the list or the top, without cycles',
    {
      effect: 'read',
      quotes: ['| parentId | string | Identifier of the parent OU; OUs form a hierarchy |'],
      run: async (context) => {
        const { rows } = await listUnits(context);
        need(rows.length > 0, 'needs an organizational unit in the list');
        const parents = new Map(rows.map((unit) => [idOf(unit), unit['parentId']]));
        const tops = new Set(
          rows.map((unit) => unit['parentId']).filter((parent) => !parents.has(String(parent))),
        );
        must(tops.size <= 1, 'one identifier for the top', [...tops]);
        for (const id of parents.keys()) {
          let steps = 0;
          for (let at: string = id; parents.has(at); at = String(parents.get(at))) {
            steps += 1;
            must(steps <= rows.length, 'a hierarchy without cycles', `unit ${id} is its own ancestor`);
          }
        }
      },
    },
  ),
  stated('4.3', 'GET /v1/organization-units returns the list of all units', {
    effect: 'read',
    quotes: ['| GET | /v1/organization-units | none | list of all OUs |'],
    run: async (context) => {
      const { rows, total } = await listUnits(context);
      must(total === undefined || total === rows.length, `all ${total} units`, `${rows.length} rows`);
    },
  }),
  stated('4.3', 'POST /v1/organization-units returns the created unit, under its parent', {
    effect: 'write',
    quotes: [creates],
    run: async (context) => {
      const parent = await createUnit(context);
      const child = await createUnit(context, { parentId: idOf(parent) });
      must(
        child['parentId'] === undefined || child['parentId'] === idOf(parent),
        `parent ${idOf(parent)}`,
        child,
      );
      const listed = (await listUnits(context)).rows.find((unit) => idOf(unit) === idOf(child));
      must(listed?.['parentId'] === idOf(parent), 'the created unit in the list, under its parent', listed);
    },
  }),
  stated('4.3', 'POST /v1/organization-units accepts a linked security group', {
    effect: 'write',
    quotes: ['optional directoryGroupId'],
    run: async (context) => {
      const directoryGroupId = context.target.directoryGroupId ?? '6f1c6c52-4c3a-4f3e-9a51-0f54f0b1a001';
      const unit = await createUnit(context, { directoryGroupId });
      must(
        unit['directoryGroupId'] === undefined || unit['directoryGroupId'] === directoryGroupId,
        `directoryGroupId ${directoryGroupId}`,
        unit,
      );
    },
  }),
  stated('4.3', 'POST /v1/organization-units under a parent that does not exist is refused', {
    effect: 'write',
    quotes: ['2.3: Identifier of the parent OU'],
    run: async (context) => {
      const body = { name: context.unique('Unit'), parentId: 'no-such-unit' };
      mustRefuse(await context.admin('POST', '/v1/organization-units', { body }), 'an unknown parent');
    },
  }),
  stated('4.3', 'POST /v1/organization-units/{ouId}/sync adds the members of the linked group to the unit', {
    effect: 'write',
    quotes: [syncs, '2.3: used for synchronization'],
    run: async (context) => {
      const { directoryGroupId } = context.target;
      need(directoryGroupId !== undefined, 'needs a security group with members (--directory-group-id)');
      const unit = await createUnit(context, { directoryGroupId });
      must((await membersOf(context, unit)).length === 0, 'no members before the synchronization', 'members');
      mustSucceed(await context.admin('POST', syncPath(unit)), 'synchronizing');
      const members = await membersOf(context, unit);
      must(members.length > 0, 'members after the synchronization', members);
    },
  }),
  stated('4.3', 'POST /v1/organization-units/{ouId}/sync of a unit that does not exist is refused', {
    effect: 'write',
    quotes: [syncs],
    run: async ({ admin }) =>
      mustRefuse(await admin('POST', '/v1/organization-units/no-such-unit/sync'), 'an unknown unit'),
  }),
];
