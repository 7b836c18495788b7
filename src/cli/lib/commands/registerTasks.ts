import type { Task } from '@vitrine/portal-client';
import { addPortalOptions } from '../input/withClient.ts';
import { addListAndGet, field } from './addListAndGet.ts';
import type { RegisterCommand } from './registerCommands.ts';

/** `vitrine tasks`: the tasks of the tenant. */
export const registerTasks: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program.command('tasks').description('List tasks: webhooks and DAX queries. (Read-only.)'),
    { isReading: true },
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
