import { roleTypes } from '@vitrine/contract/service';
import type { Role } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../input/ask.ts';
import { addPortalOptions, withClient } from '../input/withClient.ts';
import { plainText } from '../output/plainText.ts';
import { UsageError } from '../output/usageError.ts';
import { addCommand } from '../program/addCommand.ts';
import { textOption } from '../program/readOptions.ts';
import { addListAndGet, field } from './addListAndGet.ts';
import type { RegisterCommand } from './registerCommands.ts';

/** `vitrine roles`: the roles of the tenant. */
export const registerRoles: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program.command('roles').description('List and create roles. (The API cannot change or delete them.)'),
  );
  addListAndGet<Role>(family, context, {
    noun: 'role',
    family: 'roles',
    exampleId: 'region-north',
    list: (client, signal) => client.roles.list({ signal }),
    names: (role) => [role.id, role.code, role.name],
    columns: [
      field('id', 'ID', { align: 'right', minWidth: 4 }),
      field('name', 'NAME', { minWidth: 12 }),
      field('type', 'TYPE', { keepsWidth: true }),
      field('code', 'CODE', { minWidth: 10 }),
      field('description', 'DESCRIPTION', { minWidth: 11 }),
    ],
  });
  addCommand(family, context, {
    usage: 'create',
    summary: 'Create a role',
    options: [
      new Option('--name <name>', 'display name'),
      new Option('--type <type>', `type of the role: ${roleTypes.join(', ')}`),
      new Option('--code <code>', 'role code, needed for RLS: the value used in roleNames'),
      new Option('--description <text>', 'free text'),
    ],
    examples: [
      {
        line: 'vitrine roles create --type RLS --code region-center --name "Region center" --yes',
        note: 'a row-level security role',
      },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const { options, out, io } = run;
        const name = textOption(options, 'name');
        const type = textOption(options, 'type');
        const code = textOption(options, 'code');
        const description = textOption(options, 'description');
        if (name === undefined || type === undefined) throw new UsageError('A role needs --name and --type.');
        if (!(await confirm(run, plainText(`Create the role ${name}?`))))
          return out.note('Nothing was changed.');
        const role = await client.roles.create(
          {
            name,
            type,
            ...(code !== undefined && { code }),
            ...(description !== undefined && { description }),
          },
          { signal: io.signal },
        );
        out.record(role);
        out.note(`Created role ${plainText(role.name ?? name)}.`);
      }),
  });
};
