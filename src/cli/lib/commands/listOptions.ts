import { Option } from 'commander';
import type { RowView } from '../output/createOutput.ts';
import type { Run } from '../program/addCommand.ts';
import { isOn, numberOption } from '../program/readOptions.ts';

/** Default number of rows on a terminal. */
const defaultLimit = 100;

/** Options of every `list`. */
export const listOptions = [
  new Option('--limit <rows>', `rows to show; default ${defaultLimit} on a terminal, otherwise all`),
  new Option('--all', 'show every row'),
  new Option('--columns <names>', 'fields to show, in this order: id,name'),
];

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

/** Number of rows to show. Output to a file or program is only limited by --limit. */
const limitOf = ({ io, options, out }: Run): number | undefined => {
  const given = numberOption(options, 'limit', 1);
  if (given !== undefined) return Math.floor(given);
  const isForPeople = io.stdout.isTTY === true && out.format === 'table';
  return isForPeople && !isOn(options, 'all') ? defaultLimit : undefined;
};

/** The first rows of a list. */
async function* take<TRow>(rows: AsyncIterable<TRow>, limit: number | undefined): AsyncGenerator<TRow> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    count += 1;
    if (count === limit) return;
  }
}
