import { withClient } from '../../input/withClient.ts';
import type { CommandSpec } from '../../program/addCommand.ts';
import { listOptions, showRows } from '../listOptions.ts';
import { tableColumns } from '../resourceFields.ts';
import { exportCommand } from './exportCommand.ts';
import { filterOptions, readFilter, toOption } from './filter.ts';
import { followCommand } from './followCommand.ts';

/** `vitrine audit`: the audit log of the tenant. */
export const auditCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'audit',
  commands: [
    {
      usage: 'list',
      summary: 'List audit records, newest first',
      api: 'reads',
      options: [...filterOptions, toOption, ...listOptions],
      examples: [
        { line: 'vitrine audit list --from 24h', note: 'the last day' },
        { line: 'vitrine audit list --action UserCreated --limit 5', note: 'the last five users created' },
      ],
      run: (run) =>
        withClient(run, async (client) => {
          const records = client.audit.list({ ...readFilter(run), signal: run.io.signal });
          await showRows(run, { columns: tableColumns('auditRecord'), noun: 'record' }, records);
        }),
    },
    followCommand,
    exportCommand,
  ],
};
