import { type Check, writes } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { must, needed } from '../difference.ts';
import { mustMatchRows } from '../fieldTypes.ts';
import { type Fields, idOf, mustRefuse, mustSucceed, readResource } from '../readers.ts';
import { type Creatable, create, creations, membersOf, newBody, syncPath, userPath } from '../resources.ts';
import type { Answer } from '../send.ts';
import { lists } from './lists.ts';

/** Throws unless the fields that a row shows have the stated types, and are as they were sent. */
const mustHaveSent = (list: Creatable, row: Fields, sent: Fields): void => {
  mustMatchRows([row], lists.find(({ path }) => path === `/v1/${list}`)?.fields ?? []);
  for (const [name, value] of Object.entries(sent)) {
    const isSame = JSON.stringify(row[name]) === JSON.stringify(value);
    must(!(name in row) || isSame, `${name} as sent: ${JSON.stringify(value)}`, row[name]);
  }
};

/** The stored resource: a user by its path, because the list of users has pages; any other in its list. */
const readStored = async ({ admin, rowsOf }: CheckContext, list: Creatable, sent: Fields, answer: Answer) => {
  if (list === 'users') return readResource(await admin('GET', userPath(readResource(answer))));
  const name = list === 'items' ? 'displayName' : 'name';
  const stored = (await rowsOf(`/v1/${list}`)).find((row) => row[name] === sent[name]);
  must(stored !== undefined, `${String(sent[name])} in GET /v1/${list}`, 'a list without it');
  return stored;
};

const creationCheck = (list: Creatable): Check => {
  const { section, row, accepted, refused } = creations[list];
  const title = `${section} POST /v1/${list} stores what was sent, and refuses ${JSON.stringify(refused)} and a missing key`;
  return writes(title, row, async (context) => {
    const path = `/v1/${list}`;
    for (const changes of await accepted(context)) {
      const body = await newBody(context, list, changes);
      mustRefuse(await context.admin('POST', path, { body, authorization: null }), 'a change without a key');
      const answer = await context.admin('POST', path, { body });
      mustSucceed(answer, `creating ${JSON.stringify(body)}`);
      if (row.includes('the created')) mustHaveSent(list, readResource(answer), body);
      mustHaveSent(list, await readStored(context, list, body, answer), body);
      if (list === 'users') await context.admin('DELETE', userPath(readResource(answer)));
    }
    const body = await newBody(context, list, refused);
    mustRefuse(await context.admin('POST', path, { body }), JSON.stringify(refused));
  });
};

export const changeChecks: readonly Check[] = [
  ...(['users', 'roles', 'organization-units', 'items'] as const).map(creationCheck),
  writes(
    '4.1 PATCH /v1/users/{userId} changes what it names, keeps the rest and returns the updated user',
    "| PATCH | /v1/users/{userId} | changes to the user's details, roles or OU memberships | the updated user |",
    async (context) => {
      let expected = await newBody(context, 'users');
      const user = readResource(await context.admin('POST', '/v1/users', { body: expected }));
      for (const change of [
        { firstName: 'Changed' },
        { roles: [(await create(context, 'roles'))['name']] },
        { organizationUnits: [idOf(await create(context, 'organization-units'))] },
      ]) {
        const answer = await context.admin('PATCH', userPath(user), { body: change });
        expected = { ...expected, ...change };
        for (const row of [readResource(answer), await readStored(context, 'users', expected, answer)]) {
          must(idOf(row) === idOf(user), `user ${idOf(user)}`, row);
          mustHaveSent('users', row, expected);
        }
      }
      await context.admin('DELETE', userPath(user));
    },
  ),
  writes(
    '4.1 DELETE /v1/users/{userId} removes the user permanently',
    '| DELETE | /v1/users/{userId} | none | permanently removes the user from the Tenant |',
    async (context) => {
      const path = userPath(await create(context, 'users'));
      mustSucceed(await context.admin('DELETE', path), 'removing a user');
      mustRefuse(await context.admin('GET', path), 'a removed user');
    },
  ),
  writes(
    '4.3 POST /v1/organization-units/{ouId}/sync adds the members of the linked group to the unit',
    '| POST | /v1/organization-units/{ouId}/sync | none | triggers an immediate synchronization with the linked security group of the identity directory |',
    async (context) => {
      const { directoryGroupId: linked } = context.target;
      const group = needed(linked, 'a security group with members (--directory-group-id)');
      const unit = await create(context, 'organization-units', { directoryGroupId: group });
      mustSucceed(await context.admin('POST', syncPath(unit)), 'synchronizing');
      must((await membersOf(context, unit)).length > 0, 'members after the synchronization', 'none');
    },
  ),
];
