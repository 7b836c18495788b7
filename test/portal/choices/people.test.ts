import type { CheckContext } from '../../../src/conformance/lib/createContext.ts';
import { must, need } from '../../../src/conformance/lib/difference.ts';
import {
  isBoolean,
  isGuid,
  isInstant,
  isInteger,
  isText,
  isTextList,
  mustMatch,
} from '../../../src/conformance/lib/fieldTypes.ts';
import { type Fields, mustSucceed, pathOf } from '../../../src/conformance/lib/readers.ts';
import { create, membersOf, newBody, syncPath, userPath } from '../../../src/conformance/lib/resources.ts';
import {
  type Choice,
  chosen,
  describeChoices,
  mustAnswer,
  mustAnswerList,
  mustAnswerResource,
  mustFail,
  mustName,
  orNull,
} from './choice.ts';

const post = async (context: CheckContext, changes: Fields) =>
  context.admin('POST', '/v1/users', { body: await newBody(context, 'users', changes) });

const fills = 'required when creating a user';
const returned = {
  id: isInteger,
  type: isText,
  email: isText,
  firstName: isText,
  lastName: isText,
  roles: isTextList,
  organizationUnits: isTextList,
  displayName: isText,
  isActive: isBoolean,
  createdAt: isInstant,
  updatedAt: isInstant,
  lastLoginAt: orNull(isInstant),
};

const userChoices: readonly Choice[] = [
  chosen('4.1', 'creating a user returns 201, its Location and the bare user', {
    gap: 'success body of /v1',
    run: async (context) => {
      const answer = await post(context, {});
      const user = mustAnswerResource(answer, 201);
      const path = pathOf('v1', 'users', String(user['id']));
      must(
        answer.headers['location']?.endsWith(path) === true,
        `Location ${path}`,
        answer.headers['location'],
      );
      await context.admin('DELETE', userPath(user));
    },
  }),
  chosen('4.1', 'changing a user returns 200, removing it 204 without a body', {
    gap: 'success body of /v1',
    run: async (context) => {
      const user = await create(context, 'users');
      mustAnswerResource(await context.admin('PATCH', userPath(user), { body: { lastName: 'Other' } }), 200);
      const removed = await context.admin('DELETE', userPath(user));
      mustAnswer(removed, 204);
      must(removed.text === '', 'no body', removed.text);
    },
  }),
  chosen('4.1', 'a returned user may be sent back whole; a changed read-only field is named', {
    gap: 'PATCH with read-only fields',
    run: async (context) => {
      const user = await create(context, 'users');
      const body = { ...user, lastName: 'Other' };
      const changed = mustAnswerResource(await context.admin('PATCH', userPath(user), { body }), 200);
      must(changed['lastName'] === 'Other', 'the changed name', changed);
      mustName(await context.admin('PATCH', userPath(user), { body: { isActive: false } }), 'isActive');
      await context.admin('DELETE', userPath(user));
    },
  }),
  chosen('4.1', 'users come in pages from 1 of 50, at most 200; outside of that the answer is 400', {
    gap: 'list paging (users)',
    run: async ({ admin }) => {
      const first = mustAnswerList(await admin('GET', '/v1/users?pageSize=2'));
      const same = mustAnswerList(await admin('GET', '/v1/users?page=1&pageSize=2'));
      must(JSON.stringify(first) === JSON.stringify(same), 'page 1 when none is given', same.items);
      must((await admin('GET', '/v1/users')).text.includes('"pageSize":50'), 'pages of 50', 'another size');
      mustAnswerList(await admin('GET', '/v1/users?pageSize=200'));
      for (const [query, field] of [
        ['pageSize=201', 'pageSize'],
        ['pageSize=0', 'pageSize'],
        ['pageSize=many', 'pageSize'],
        ['page=0', 'page'],
        ['page=-1', 'page'],
        ['page=1.5', 'page'],
      ] as const)
        mustName(await admin('GET', `/v1/users?${query}`), field);
      const beyond = mustAnswerList(await admin('GET', '/v1/users?page=100000'));
      must(beyond.items.length === 0, 'no rows beyond the last page', beyond.items.length);
    },
  }),
  chosen(
    '2.1',
    'a returned user has its sent fields and id, displayName, isActive, createdAt, updatedAt, lastLoginAt',
    {
      gap: 'returned user',
      run: async ({ admin }) => {
        for (const user of mustAnswerList(await admin('GET', '/v1/users')).items) mustMatch(user, returned);
      },
    },
  ),
  ...['type', 'email', 'firstName', 'lastName'].map((field) =>
    chosen('4.1', `creating a user without ${field} returns 400 and names the field`, {
      gap: fills,
      run: async (context) => mustName(await post(context, { [field]: undefined }), field),
    }),
  ),
  chosen('4.1', 'roles and organizationUnits of a new user are empty if omitted', {
    gap: fills,
    run: async (context) => {
      const user = mustAnswerResource(
        await post(context, { roles: undefined, organizationUnits: undefined }),
        201,
      );
      await context.admin('DELETE', userPath(user));
      must(JSON.stringify([user['roles'], user['organizationUnits']]) === '[[],[]]', 'two empty lists', user);
    },
  }),
  chosen('4.1', 'names may have 64 characters and an email address 256; more is a 400 that names the field', {
    gap: fills,
    run: async (context) => {
      const user = mustAnswerResource(await post(context, { firstName: 'n'.repeat(64) }), 201);
      await context.admin('DELETE', userPath(user));
      mustName(await post(context, { firstName: 'n'.repeat(65) }), 'firstName');
      mustName(await post(context, { lastName: 'n'.repeat(65) }), 'lastName');
      mustName(await post(context, { email: `${'n'.repeat(250)}@conformance.example` }), 'email');
      mustName(await post(context, { email: 'no address' }), 'email');
    },
  }),
  chosen('4.1', 'an email address that the tenant already has returns 409, on creating and on changing', {
    gap: fills,
    run: async (context) => {
      const [user, other] = [await create(context, 'users'), await create(context, 'users')];
      mustFail(await post(context, { email: user['email'] }), 409);
      mustFail(await post(context, { email: String(user['email']).toUpperCase() }), 409);
      mustFail(await context.admin('PATCH', userPath(other), { body: { email: user['email'] } }), 409);
      for (const each of [user, other]) await context.admin('DELETE', userPath(each));
    },
  }),
  chosen('4.1', 'roles and units that do not exist are a 400 that names the field', {
    gap: fills,
    run: async (context) => {
      mustName(await post(context, { roles: ['No such role'] }), 'roles');
      mustName(await post(context, { organizationUnits: ['no-such-unit'] }), 'organizationUnits');
    },
  }),
  chosen('4.1', 'a change takes any subset of the fields, and its arrays replace', {
    gap: 'PATCH user',
    run: async (context) => {
      const units = [
        await create(context, 'organization-units'),
        await create(context, 'organization-units'),
      ].map((unit) => String(unit['id']));
      const user = await create(context, 'users', { organizationUnits: units });
      for (const organizationUnits of [units.slice(1), []]) {
        const changed = mustAnswerResource(
          await context.admin('PATCH', userPath(user), { body: { organizationUnits } }),
          200,
        );
        const seen = changed['organizationUnits'];
        must(
          JSON.stringify(seen) === JSON.stringify(organizationUnits),
          JSON.stringify(organizationUnits),
          seen,
        );
      }
      mustAnswerResource(await context.admin('PATCH', userPath(user), { body: {} }), 200);
      mustName(await context.admin('PATCH', userPath(user), { body: { firstName: 7 } }), 'firstName');
      await context.admin('DELETE', userPath(user));
    },
  }),
];

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

const structureChoices: readonly Choice[] = [
  chosen('2.2', 'a returned role has id, name, type, code or null, description and isSystem', {
    gap: roleGap,
    run: async ({ admin }) => {
      for (const each of mustAnswerList(await admin('GET', '/v1/roles')).items) mustMatch(each, role);
    },
  }),
  chosen('4.2', 'creating a role returns 201; name and type are required, code for an RLS role', {
    gap: roleGap,
    run: async ({ admin, unique }) => {
      const post = (body: object) => admin('POST', '/v1/roles', { body });
      mustMatch(mustAnswerResource(await post({ name: unique('Role'), type: 'Report' }), 201), role);
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
        const top = await create(context, 'organization-units', { parentId: 'root' });
        mustMatch(top, unit);
        must('path' in top, 'a path', top);
        must(top['parentId'] === 'root', 'root', top['parentId']);
        const user = await create(context, 'users', { organizationUnits: [top['id']] });
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
  chosen(
    '4.3',
    'a synchronization returns 202 with its counts; it adds missing members and updates changed ones',
    {
      gap: 'OU sync',
      run: async (context) => {
        const { directoryGroupId } = context.target;
        need(directoryGroupId !== undefined, 'needs a security group with members (--directory-group-id)');
        const linked = await create(context, 'organization-units', { directoryGroupId });
        const sync = async () => {
          const answer = mustAnswerResource(await context.admin('POST', syncPath(linked)), 202);
          mustMatch(answer, {
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

describeChoices([...userChoices, ...structureChoices]);
