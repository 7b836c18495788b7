import {
  createUnit,
  createUser,
  membersOf,
  syncPath,
  userPath,
} from '../../../src/conformance/lib/checks/people.ts';
import { must, need } from '../../../src/conformance/lib/difference.ts';
import {
  isBoolean,
  isGuid,
  isInteger,
  isText,
  mustHaveAll,
} from '../../../src/conformance/lib/fieldTypes.ts';
import { mustSucceed, pathOf } from '../../../src/conformance/lib/readers.ts';
import {
  type Choice,
  chosen,
  mustAnswer,
  mustAnswerList,
  mustAnswerResource,
  mustFail,
  mustName,
  orNull,
} from './expectations.ts';

const role = {
  id: isInteger,
  name: isText,
  type: isText,
  code: orNull(isText),
  description: isText,
  isSystem: isBoolean,
};
const unit = {
  id: isText,
  name: isText,
  parentId: isText,
  directoryGroupId: orNull(isGuid),
  memberCount: isInteger,
};
const roleGap = 'returned role, required';
const unitGap = 'returned OU, required';

export const structureChoices: readonly Choice[] = [
  chosen('2.2', 'a returned role has id, name, type, code or null, description and isSystem', {
    gap: roleGap,
    run: async ({ admin }) => {
      for (const each of mustAnswerList(await admin('GET', '/v1/roles')).items) mustHaveAll(each, role);
    },
  }),
  chosen('4.2', 'creating a role returns 201; name and type are required, code for an RLS role', {
    gap: roleGap,
    run: async ({ admin, unique }) => {
      const post = (body: object) => admin('POST', '/v1/roles', { body });
      mustHaveAll(mustAnswerResource(await post({ name: unique('Role'), type: 'Report' }), 201), role);
      mustName(await post({ type: 'Report' }), 'name');
      mustName(await post({ name: unique('Role') }), 'type');
      mustName(await post({ name: unique('Role'), type: 'RLS' }), 'code');
    },
  }),
  chosen('4.2', 'a role name or code that the tenant already has returns 409', {
    gap: roleGap,
    run: async ({ admin, unique }) => {
      const body = { name: unique('Role'), type: 'RLS', code: unique('code'), description: '' };
      mustAnswer(await admin('POST', '/v1/roles', { body }), 201);
      mustFail(await admin('POST', '/v1/roles', { body: { ...body, code: unique('code') } }), 409);
      mustFail(await admin('POST', '/v1/roles', { body: { ...body, name: unique('Role') } }), 409);
    },
  }),
  chosen(
    '2.3',
    'a returned unit has id, name, parentId ("root" at the top), directoryGroupId or null, memberCount and path',
    {
      gap: unitGap,
      run: async (context) => {
        const top = await createUnit(context);
        mustHaveAll(top, unit);
        must('path' in top, 'a path', top);
        must(top['parentId'] === 'root', 'root', top['parentId']);
        const user = await createUser(context, { organizationUnits: [top['id']] });
        const { items } = mustAnswerList(await context.admin('GET', '/v1/organization-units'));
        await context.admin('DELETE', userPath(user));
        const listed = items.find(({ id }) => id === top['id']);
        must(listed?.['memberCount'] === 1, 'memberCount 1 with one member', listed);
      },
    },
  ),
  chosen('4.3', 'creating a unit returns 201; name (at most 128 characters) and parentId are required', {
    gap: unitGap,
    run: async ({ admin, unique }) => {
      const post = (body: object) => admin('POST', '/v1/organization-units', { body });
      const name = unique('Unit');
      mustAnswerResource(await post({ name: name.padEnd(128, 'n'), parentId: 'root' }), 201);
      mustName(await post({ name: 'n'.repeat(129), parentId: 'root' }), 'name');
      mustName(await post({ parentId: 'root' }), 'name');
      mustName(await post({ name: unique('Unit') }), 'parentId');
      mustName(await post({ name, parentId: 'root', directoryGroupId: 'x' }), 'directoryGroupId');
    },
  }),
  chosen('4.3', 'units nest 16 deep and no deeper', {
    gap: unitGap,
    run: async (context) => {
      let parentId: unknown = 'root';
      for (let depth = 1; depth <= 16; depth += 1) parentId = (await createUnit(context, { parentId }))['id'];
      const body = { name: context.unique('Unit'), parentId };
      mustName(await context.admin('POST', '/v1/organization-units', { body }), 'parentId');
    },
  }),
  chosen(
    '4.3',
    'a synchronization returns 202 with its counts; it adds missing members and updates changed ones',
    {
      gap: 'OU sync',
      run: async (context) => {
        const { directoryGroupId } = context.target;
        need(directoryGroupId !== undefined, 'needs a security group with members (--directory-group-id)');
        const linked = await createUnit(context, { directoryGroupId });
        const sync = async () => {
          const answer = mustAnswerResource(await context.admin('POST', syncPath(linked)), 202);
          mustHaveAll(answer, {
            syncId: isText,
            status: isText,
            added: isInteger,
            updated: isInteger,
            removed: isInteger,
          });
          return answer;
        };
        const first = await sync();
        must(Number(first['added']) > 0 && first['removed'] === 0, 'members added and none removed', first);
        const again = await sync();
        must(
          [again['added'], again['updated'], again['removed']].every((count) => count === 0),
          'nothing to do',
          again,
        );

        const [renamed, lost] = await membersOf(context, linked);
        need(renamed !== undefined && lost !== undefined, 'needs a security group with two members');
        mustSucceed(
          await context.admin('PATCH', pathOf('v1', 'users', renamed), { body: { firstName: 'Renamed' } }),
        );
        mustSucceed(await context.admin('DELETE', pathOf('v1', 'users', lost)));
        const last = await sync();
        must(last['added'] === 1 && Number(last['updated']) >= 1, 'one added again and one updated', last);
        const read = mustAnswerResource(await context.admin('GET', pathOf('v1', 'users', renamed)), 200);
        must(read['firstName'] !== 'Renamed', 'the name of the directory', read['firstName']);
      },
    },
  ),
];
