import { emailKey, type UserPatch, userTypes } from '@vitrine/contract/service';
import type { PortalClient, User } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../input/ask.ts';
import { addPortalOptions, withClient } from '../input/withClient.ts';
import type { Column } from '../output/formatTable.ts';
import { formatValue } from '../output/formatValue.ts';
import { plainText } from '../output/plainText.ts';
import { UsageError } from '../output/usageError.ts';
import { addCommand, changeOptions, listOption, type Run } from '../program/addCommand.ts';
import { isOn, listOf, textOption } from '../program/readOptions.ts';
import { field, showRows } from './addListAndGet.ts';
import { administratorOption, checkAdministrator } from './checkAdministrator.ts';
import { listOptions } from './listOptions.ts';
import { readUnitNames } from './readNames.ts';
import type { RegisterCommand } from './registerCommands.ts';

/** Columns of users; `unitName` maps IDs of units to names. */
const columnsOf = (unitName: (id: string) => string): readonly Column<User>[] => [
  field<User>('id', 'ID', { align: 'right', minWidth: 4 }),
  field<User>('email', 'EMAIL', { minWidth: 28 }),
  {
    name: 'name',
    title: 'NAME',
    value: (user) => [user.firstName, user.lastName].filter(Boolean).join(' ') || '–',
    minWidth: 8,
  },
  field<User>('type', 'TYPE', { keepsWidth: true }),
  field<User>('roles', 'ROLES', { minWidth: 8 }),
  {
    name: 'organizationUnits',
    title: 'UNITS',
    value: (user) => formatValue(user.organizationUnits?.map(unitName)),
    minWidth: 8,
  },
];

const fieldOptions = () => [
  new Option('--email <address>', 'email address'),
  new Option('--type <type>', `type of the user: ${userTypes.join(', ')}`),
  new Option('--first-name <name>', 'given name'),
  new Option('--last-name <name>', 'family name'),
  listOption('--role <name>', 'role name; may be repeated'),
  listOption('--ou <id>', 'ID of an organizational unit; may be repeated'),
];

/** `vitrine users`: the users of the tenant. */
export const registerUsers: RegisterCommand = (program, context) => {
  const family = addPortalOptions(program.command('users').description('Manage users.'));
  addCommand(family, context, {
    usage: 'list',
    summary: 'List the users of the tenant',
    options: listOptions,
    unused: changeOptions,
    examples: [
      { line: 'vitrine users list', note: 'print a table' },
      { line: 'vitrine users list --ndjson', note: 'print one JSON line per row, for programs' },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const unitName = run.out.format === 'table' ? await readUnitNames(client, run) : String;
        const users = client.users.list({ signal: run.io.signal });
        await showRows(run, { columns: columnsOf(unitName), noun: 'user' }, users);
      }),
  });
  addCommand(family, context, {
    usage: 'get <user>',
    summary: 'Show one user with all fields',
    unused: changeOptions,
    examples: [
      { line: 'vitrine users get 1', note: 'by ID' },
      { line: 'vitrine users get north.manager@acme.example', note: 'by email address' },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        run.out.record(await findUser(client, run));
      }),
  });
  addCommand(family, context, {
    usage: 'create',
    summary: 'Create a user',
    options: fieldOptions(),
    examples: [
      {
        line: 'vitrine users create --type UserPass --email new.analyst@acme.example --first-name New --last-name Analyst --yes',
        note: 'a user who signs in with a password',
      },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const { email, type, firstName, lastName, ...lists } = readFields(run);
        if (email === undefined || type === undefined || firstName === undefined || lastName === undefined)
          throw new UsageError('A user needs --email, --type, --first-name and --last-name.');
        if (!(await confirm(run, plainText(`Create the user ${email}?`))))
          return run.out.note('Nothing was changed.');
        const user = await client.users.create(
          { email, type, firstName, lastName, ...lists },
          { signal: run.io.signal },
        );
        run.out.record(user);
        run.out.note(`Created user ${plainText(String(user.id))}.`);
      }),
  });
  addCommand(family, context, {
    usage: 'update <user>',
    summary: 'Change a user',
    details:
      'The given roles and units replace the existing ones. --no-roles and --no-ous remove all of them.',
    options: [
      ...fieldOptions(),
      new Option('--no-roles', 'remove all roles'),
      new Option('--no-ous', 'remove all units'),
      administratorOption(),
    ],
    examples: [{ line: 'vitrine users update 1 --last-name South --yes', note: 'another family name' }],
    run: (run) =>
      withClient(run, async (client) => {
        const patch = readFields(run);
        if (Object.keys(patch).length === 0)
          throw new UsageError('Nothing to change. Pass a field, such as --last-name.');
        const user = await findUser(client, run);
        const { id } = user;
        if (patch.roles !== undefined) await checkAdministrator(client, { user, kept: patch.roles }, run);
        if (!(await confirm(run, plainText(updateQuestion(user, patch)))))
          return run.out.note('Nothing was changed.');
        run.out.record(await client.users.update(id, patch, { signal: run.io.signal }));
        run.out.note(`Changed user ${plainText(String(id))}.`);
      }),
  });
  addCommand(family, context, {
    usage: 'delete <user>',
    summary: 'Delete a user permanently',
    options: [administratorOption()],
    examples: [
      { line: 'vitrine users delete former.analyst@acme.example --yes', note: 'without confirmation' },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const user = await findUser(client, run);
        await checkAdministrator(client, { user, kept: undefined }, run);
        const isSure = await confirm(
          run,
          plainText(`Delete ${user.email ?? 'the user'} (${user.id}) permanently?`),
        );
        if (!isSure) return run.out.note('Nothing was changed.');
        await client.users.delete(user.id, { signal: run.io.signal });
        run.out.note(`Deleted user ${plainText(String(user.id))}.`);
      }),
  });
};

/** The changed fields, and the roles and units that would be removed. */
const updateQuestion = (user: User, patch: UserPatch): string => {
  const gone = (['roles', 'organizationUnits'] as const).flatMap((name) => {
    const kept = patch[name];
    const lost = kept === undefined ? [] : (user[name] ?? []).filter((entry) => !kept.includes(entry));
    return lost.length === 0
      ? []
      : [` ${name === 'roles' ? 'Roles' : 'Units'} to remove: ${lost.join(', ')}.`];
  });
  return `Change ${Object.keys(patch).join(', ')} of ${user.email ?? 'the user'} (${user.id})?${gone.join('')}`;
};

const readFields = ({ options }: Run) => {
  const email = textOption(options, 'email');
  const type = textOption(options, 'type');
  const firstName = textOption(options, 'firstName');
  const lastName = textOption(options, 'lastName');
  const roles = options['roles'] === false ? [] : listOf(options, 'role');
  const organizationUnits = options['ous'] === false ? [] : listOf(options, 'ou');
  return {
    ...(email !== undefined && { email }),
    ...(type !== undefined && { type }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(roles !== undefined && { roles }),
    ...(organizationUnits !== undefined && { organizationUnits }),
  };
};

/** Finds a user by ID or email address; addresses are looked up in the list. */
const findUser = async (client: PortalClient, { args, io, options }: Run): Promise<User> => {
  const wanted = args[0] ?? '';
  if (!wanted.includes('@')) return client.users.get(wanted, { signal: io.signal });
  const found: User[] = [];
  for await (const user of client.users.list({ signal: io.signal }))
    if (user.email !== undefined && emailKey(user.email) === emailKey(wanted)) found.push(user);
  if (found.length > 1)
    throw new UsageError(
      `${found.length} users have the address ${JSON.stringify(wanted)}. Use the ID of one: ${found.map(({ id }) => id).join(', ')}.`,
    );
  if (found[0] !== undefined) return found[0];
  throw new UsageError(
    `There is no user ${JSON.stringify(wanted)} in this tenant.${isOn(options, 'quiet') ? '' : ' `vitrine users list` shows all users.'}`,
  );
};
