import { rootOrganizationUnitId } from '@vitrine/contract/service';
import type { OrganizationUnit, PortalClient } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../input/ask.ts';
import { addPortalOptions, withClient } from '../input/withClient.ts';
import { plainText } from '../output/plainText.ts';
import { UsageError } from '../output/usageError.ts';
import { addCommand, changeOptions } from '../program/addCommand.ts';
import { textOption } from '../program/readOptions.ts';
import { addListAndGet, field } from './addListAndGet.ts';
import type { RegisterCommand } from './registerCommands.ts';

/** `vitrine ous`: the organizational units of the tenant. */
export const registerOus: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program
      .command('ous')
      .description('List, create and sync organizational units. (The API cannot change or delete them.)'),
  );
  addListAndGet<OrganizationUnit>(family, context, {
    noun: 'organizational unit',
    family: 'ous',
    exampleId: 'Sales',
    list: (client, signal) => client.organizationUnits.list({ signal }),
    names: (unit) => [unit.id, unit.name],
    columns: [
      field('id', 'ID', { minWidth: 8 }),
      field('name', 'NAME', { minWidth: 12 }),
      field('parentId', 'PARENT', { minWidth: 8 }),
      field('memberCount', 'MEMBERS', { align: 'right' }),
      field('directoryGroupId', 'SECURITY GROUP', { minWidth: 14 }),
    ],
  });
  addCommand(family, context, {
    usage: 'tree',
    summary: 'Show the units as a hierarchy',
    unused: changeOptions,
    examples: [{ line: 'vitrine ous tree', note: 'the hierarchy' }],
    run: (run) =>
      withClient(run, async (client) => {
        const tree = await client.organizationUnits.tree({ signal: run.io.signal });
        if (run.out.format !== 'table')
          return void (await run.out.rows(tree.roots, { columns: [], noun: 'organizational unit' }));
        for (const root of tree.roots)
          drawNode(root, '', (name, id) => run.out.line(`${name} ${run.out.colors.dim(`(${id})`)}`));
        if (tree.roots.length === 0) run.out.note('No organizational units.');
        for (const lost of tree.detached)
          run.out.note(
            plainText(
              `${lost.name ?? ''} (${lost.id}) is not connected to the top: its parent is ${String(lost.parentId)}.`,
            ),
          );
      }),
  });
  addCommand(family, context, {
    usage: 'create',
    summary: 'Create an organizational unit',
    options: [
      new Option('--name <name>', 'name'),
      new Option('--parent <id>', `ID of the parent unit; default ${rootOrganizationUnitId}, the top`),
      new Option('--directory-group <guid>', 'linked security group of the identity directory'),
    ],
    examples: [{ line: 'vitrine ous create --name Partners --yes', note: 'at the top' }],
    run: (run) =>
      withClient(run, async (client) => {
        const name = textOption(run.options, 'name');
        const directoryGroupId = textOption(run.options, 'directoryGroup');
        if (name === undefined) throw new UsageError('An organizational unit needs --name.');
        if (!(await confirm(run, plainText(`Create the unit ${name}?`))))
          return run.out.note('Nothing was changed.');
        const unit = await client.organizationUnits.create(
          {
            name,
            parentId: textOption(run.options, 'parent') ?? rootOrganizationUnitId,
            ...(directoryGroupId !== undefined && { directoryGroupId }),
          },
          { signal: run.io.signal },
        );
        run.out.record(unit);
        run.out.note(`Created organizational unit ${plainText(unit.id)}.`);
      }),
  });
  addCommand(family, context, {
    usage: 'sync <id>',
    summary: 'Sync a unit with its security group now',
    details: 'Adds, updates and removes members to match the identity directory.',
    examples: [
      { line: 'vitrine ous sync 2 --yes', note: 'now, without waiting for the next scheduled sync' },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const [id = ''] = run.args;
        if (!(await confirm(run, plainText(`Add and remove members of the unit ${id} to match its group?`))))
          return run.out.note('Nothing was changed.');
        run.out.record(await client.organizationUnits.sync(id, { signal: run.io.signal }));
        run.out.note('The portal accepted the synchronization.');
      }),
  });
};

const drawNode = (
  node: Awaited<ReturnType<PortalClient['organizationUnits']['tree']>>['roots'][number],
  indent: string,
  draw: (name: string, id: string) => void,
): void => {
  draw(`${indent}${plainText(node.unit.name ?? node.unit.id)}`, plainText(node.unit.id));
  for (const child of node.children) drawNode(child, `${indent}  `, draw);
};
