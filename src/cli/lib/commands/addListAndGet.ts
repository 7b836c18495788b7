import type { PortalClient, PortalList } from '@vitrine/portal-client';
import type { Command } from 'commander';
import { withClient } from '../input/withClient.ts';
import type { RowView } from '../output/createOutput.ts';
import type { Column } from '../output/formatTable.ts';
import { formatValue } from '../output/formatValue.ts';
import { UsageError } from '../output/usageError.ts';
import { addCommand, changeOptions, type Run } from '../program/addCommand.ts';
import { limitOf, listOptions, take } from './listOptions.ts';
import type { CommandContext } from './registerCommands.ts';

/** A resource that the service only lists. */
export interface ListedResource<TRow extends object> {
  /** Singular name: `role`. */
  readonly noun: string;
  /** Name of the command: `roles`. */
  readonly family: string;
  readonly list: (client: PortalClient, signal: AbortSignal) => PortalList<TRow>;
  readonly columns:
    | readonly Column<TRow>[]
    /** Columns with names from another list; only computed for tables. */
    | ((client: PortalClient, run: Run) => Promise<readonly Column<TRow>[]>);
  /** Texts that identify a row on the command line. */
  readonly names: (row: TRow) => readonly unknown[];
  readonly exampleId: string;
}

/** Adds `list` and `get` of a resource. The service has no request for a single row, so `get` searches the list. */
export const addListAndGet = <TRow extends object>(
  family: Command,
  context: CommandContext,
  resource: ListedResource<TRow>,
): void => {
  addCommand(family, context, {
    usage: 'list',
    summary: `List the ${resource.noun}s of the tenant`,
    options: listOptions,
    unused: changeOptions,
    examples: [
      { line: `vitrine ${resource.family} list`, note: 'print a table' },
      { line: `vitrine ${resource.family} list --ndjson`, note: 'print one JSON line per row, for programs' },
    ],
    run: (run) =>
      withClient(run, async (client) => {
        const columns =
          typeof resource.columns === 'function' ? await resource.columns(client, run) : resource.columns;
        await showRows(run, { columns, noun: resource.noun }, resource.list(client, run.io.signal));
      }),
  });
  addCommand(family, context, {
    usage: `get <${resource.noun.replaceAll(' ', '-')}>`,
    summary: `Show one ${resource.noun} with all fields`,
    unused: changeOptions,
    examples: [{ line: `vitrine ${resource.family} get ${resource.exampleId}`, note: 'by ID or name' }],
    run: (run) =>
      withClient(run, async (client) => {
        const wanted = run.args[0] ?? '';
        const found: TRow[] = [];
        for await (const row of resource.list(client, run.io.signal))
          if (resource.names(row).some((name) => isNamed(name, wanted))) found.push(row);
        const [first] = found;
        if (first === undefined)
          throw new UsageError(`There is no ${resource.noun} ${JSON.stringify(wanted)} in this tenant.`);
        if (found.length > 1)
          throw new UsageError(
            `${found.length} ${resource.noun}s are called ${JSON.stringify(wanted)}. Use the ID of one.`,
          );
        run.out.record(first);
      }),
  });
};

/** Shows rows, up to the limit. */
export const showRows = async <TRow extends object>(
  run: Run,
  view: RowView<TRow>,
  rows: AsyncIterable<TRow>,
): Promise<void> => {
  const limit = limitOf(run);
  const isTable = run.out.format === 'table';
  await run.out.rows(isTable ? rows : take(rows, limit), { ...view, limit });
};

const isNamed = (name: unknown, wanted: string): boolean =>
  (typeof name === 'string' || typeof name === 'number') &&
  String(name).toLowerCase() === wanted.toLowerCase();

/** A column that shows one field unchanged. */
export const field = <TRow extends object>(
  name: keyof TRow & string,
  title: string,
  rest: Partial<Column<TRow>> = {},
): Column<TRow> => ({ name, title, value: (row) => formatValue(row[name]), ...rest });
