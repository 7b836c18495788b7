import type { Item } from '@vitrine/portal-client';
import { Option } from 'commander';
import { confirm } from '../input/ask.ts';
import { addPortalOptions, withClient } from '../input/withClient.ts';
import { plainText } from '../output/plainText.ts';
import { UsageError } from '../output/usageError.ts';
import { addCommand, changeOptions, listOption } from '../program/addCommand.ts';
import { listOf, textOption } from '../program/readOptions.ts';
import { addListAndGet, field } from './addListAndGet.ts';
import type { RegisterCommand } from './registerCommands.ts';

/** `vitrine items`: the reports, dashboards and apps of the tenant. */
export const registerItems: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program
      .command('items')
      .description('List and import reports, dashboards and apps. (The API cannot change or delete them.)'),
  );
  addListAndGet<Item>(family, context, {
    noun: 'item',
    family: 'items',
    exampleId: '1042',
    list: (client, signal) => client.items.list({ signal }),
    names: (item) => [item.id, item.guid, item.displayName],
    columns: [
      field('id', 'ID', { align: 'right', minWidth: 4 }),
      field('displayName', 'NAME', { minWidth: 16 }),
      field('type', 'TYPE', { keepsWidth: true }),
      field('guid', 'GUID', { minWidth: 36 }),
      field('roles', 'ROLES', { minWidth: 8 }),
    ],
  });
  addCommand(family, context, {
    usage: 'create',
    summary: 'Import an item of the BI platform',
    options: [
      new Option('--type <type>', 'type of the item: report, dashboard or app').default('report'),
      new Option('--workspace <guid>', 'workspace of the BI platform'),
      new Option('--report <guid>', 'report in the BI platform'),
      new Option('--name <name>', 'display name'),
      listOption('--role <name>', 'role name; may be repeated'),
    ],
    examples: [
      {
        line: 'vitrine items create --workspace 7d1c5d0e-3b0f-4c38-9d0c-2f6f4ad0a001 --report 7d1c5d0e-3b0f-4c38-9d0c-2f6f4ad0a002 --name "Sales by product" --yes',
        note: 'a report',
      },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const { options, out, io } = run;
        const workspaceId = textOption(options, 'workspace');
        const reportId = textOption(options, 'report');
        const displayName = textOption(options, 'name');
        if (workspaceId === undefined || reportId === undefined || displayName === undefined)
          throw new UsageError('An item needs --workspace, --report and --name.');
        if (!(await confirm(run, plainText(`Import the item ${displayName}?`))))
          return out.note('Nothing was changed.');
        const item = await client.items.create(
          {
            type: textOption(options, 'type') ?? 'report',
            workspaceId,
            reportId,
            displayName,
            roles: listOf(options, 'role') ?? [],
          },
          { signal: io.signal },
        );
        out.record(item);
        out.note(`Imported item ${String(item.id ?? item.guid)}.`);
      }),
  });
  addCommand(family, context, {
    usage: 'resolve <item>',
    summary: 'Translate an item ID between its number and its GUID',
    unused: changeOptions,
    details:
      'Embedding uses the number, webhooks contain the GUID. The GUID of the report in the BI platform is a different ID.',
    examples: [{ line: 'vitrine items resolve 1042', note: 'the GUID for webhooks' }],
    run: (run) =>
      withClient(run, async (client) => {
        const { id, guid, displayName } = await client.items.resolver.find(run.args[0] ?? '');
        run.out.record({ id, guid, displayName });
      }),
  });
};
