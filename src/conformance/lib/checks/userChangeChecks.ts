import { type Check, stated } from '../check.ts';
import type { CheckContext } from '../createContext.ts';
import { describeAnswer, must } from '../difference.ts';
import { type Fields, idOf, mustRefuse, mustSucceed, readResource } from '../readers.ts';
import { createUser, userPath } from './userChecks.ts';
import { createRoleName, createUnitId } from './userReferences.ts';

const patchStates =
  "| PATCH | /v1/users/{userId} | changes to the user's details, roles or OU memberships | the updated user |";

const describeValue = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

export const userChangeChecks: readonly Check[] = [
  ...(
    [
      ['details', () => Promise.resolve({ firstName: 'Changed', lastName: 'Name' })],
      ['roles', async (context: CheckContext) => ({ roles: [await createRoleName(context)] })],
      [
        'OU memberships',
        async (context: CheckContext) => ({ organizationUnits: [await createUnitId(context)] }),
      ],
    ] as const
  ).map(([what, makeChange]) =>
    stated('4.1', `PATCH /v1/users/{userId} changes the user's ${what} and returns the updated user`, {
      effect: 'write',
      quotes: [patchStates],
      run: async (context) => {
        const user = await createUser(context);
        const change: Fields = await makeChange(context);
        const answered = readResource(await context.admin('PATCH', userPath(user), { body: change }));
        const read = readResource(await context.admin('GET', userPath(user)));
        await context.admin('DELETE', userPath(user));
        for (const [name, value] of Object.entries(change))
          for (const [where, seen] of [
            ['the answer', answered],
            ['the user read again', read],
          ] as const)
            must(
              !(name in seen) || JSON.stringify(seen[name]) === JSON.stringify(value),
              `${name} ${JSON.stringify(value)} in ${where}`,
              seen[name],
            );
        must(idOf(answered) === idOf(user), `user ${idOf(user)}`, answered);
      },
    }),
  ),
  stated('4.1', 'PATCH /v1/users/{userId} keeps the fields that it does not name', {
    effect: 'write',
    quotes: [patchStates],
    run: async (context) => {
      const user = await createUser(context);
      mustSucceed(await context.admin('PATCH', userPath(user), { body: { firstName: 'Changed' } }));
      const read = readResource(await context.admin('GET', userPath(user)));
      await context.admin('DELETE', userPath(user));
      for (const name of ['type', 'email', 'lastName'])
        must(read[name] === user[name], `${name} unchanged: ${describeValue(user[name])}`, read[name]);
    },
  }),
  stated('4.1', 'DELETE /v1/users/{userId} removes the user permanently', {
    effect: 'write',
    quotes: ['| DELETE | /v1/users/{userId} | none | permanently removes the user from the Tenant |'],
    run: async (context) => {
      const user = await createUser(context);
      mustSucceed(await context.admin('DELETE', userPath(user)));
      const read = await context.admin('GET', userPath(user));
      mustRefuse(read, 'a removed user');
      const changed = await context.admin('PATCH', userPath(user), { body: { firstName: 'Back' } });
      mustRefuse(changed, `a change to a removed user (${describeAnswer(changed)})`);
    },
  }),
];
