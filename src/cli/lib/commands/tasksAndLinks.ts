import type { Link, Task } from '@vitrine/portal-client';
import { addPortalOptions } from '../input/openClient.ts';
import { formatValue } from '../output/formatValue.ts';
import { shortTime } from '../output/shortTime.ts';
import { addListAndGet, field } from './addListAndGet.ts';
import { readItemNames } from './readNames.ts';
import type { RegisterCommand } from './registerCommands.ts';

/** `vitrine tasks`: the tasks of the tenant. */
export const registerTasks: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program.command('tasks').description('List tasks: webhooks and DAX queries. (Read-only.)'),
  );
  addListAndGet<Task>(family, context, {
    noun: 'task',
    family: 'tasks',
    exampleId: '1',
    list: (client, signal) => client.tasks.list({ signal }),
    names: (task) => [task.id, task.name],
    columns: [
      field('id', 'ID', { minWidth: 4 }),
      field('name', 'NAME', { minWidth: 16 }),
      field('kind', 'KIND'),
      field('enabled', 'ENABLED'),
      field('webhookUrl', 'WEBHOOK', { minWidth: 12 }),
    ],
  });
};

/** `vitrine links`: the links of the tenant. */
export const registerLinks: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program.command('links').description('List active Report Keys and Slideshow links. (Read-only.)'),
  );
  addListAndGet<Link>(family, context, {
    noun: 'link',
    family: 'links',
    exampleId: '1',
    list: (client, signal) => client.links.list({ signal }),
    names: (link) => [link.id, link.name],
    columns: async (client, run) => {
      const itemName = run.out.format === 'table' ? await readItemNames(client, run) : String;
      return [
        field<Link>('id', 'ID', { minWidth: 4 }),
        field<Link>('kind', 'KIND', { minWidth: 9 }),
        field<Link>('name', 'NAME', { minWidth: 12 }),
        {
          name: 'reportId',
          title: 'REPORT',
          value: ({ reportId }) => formatValue(reportId && itemName(reportId)),
          minWidth: 12,
        },
        {
          name: 'expiresAt',
          title: 'EXPIRES',
          value: ({ expiresAt }) => shortTime(expiresAt ?? undefined),
          minWidth: 19,
        },
      ];
    },
  });
};
