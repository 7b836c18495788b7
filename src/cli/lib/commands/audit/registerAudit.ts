import { addPortalOptions, withClient } from '../../input/withClient.ts';
import type { RegisterCommand } from '../../program/addCommand.ts';
import { addCommand, changeOptions } from '../../program/addCommand.ts';
import { listOptions, showRows } from '../listOptions.ts';
import { tableColumns } from '../resources.ts';
import { filterOptions, readFilter, toOption } from './auditOptions.ts';
import { exportCommand } from './exportCommand.ts';
import { followCommand } from './followCommand.ts';

/** `vitrine audit`: the audit log of the tenant. */
export const registerAudit: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program.command('audit').description('List, follow and export the audit log.'),
  );
  addCommand(family, context, {
    usage: 'list',
    summary: 'List audit records, newest first',
    options: [...filterOptions(), toOption(), ...listOptions],
    unused: changeOptions,
    examples: [
      { line: 'vitrine audit list --from 24h', note: 'the last day' },
      { line: 'vitrine audit list --action UserCreated --limit 5', note: 'the last five users created' },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const records = client.audit.list({ ...readFilter(run), signal: run.io.signal });
        await showRows(run, { columns: tableColumns('auditRecord'), noun: 'record' }, records);
      }),
  });
  addCommand(family, context, followCommand);
  addCommand(family, context, exportCommand);
};
