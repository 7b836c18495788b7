import { Option } from 'commander';
import type { RowView } from '../output/createOutput.ts';
import { UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { isOn, numberOption } from '../program/readOptions.ts';

/** Default number of rows on a terminal. */
const defaultLimit = 100;

/** Options of every `list`. */
export const listOptions = [
  new Option(
    '--limit <rows>',
    `rows to show; default ${defaultLimit} on a terminal, otherwise all`,
  ).conflicts('all'),
  new Option('--all', 'show every row'),
];

/** Shows rows, up to the limit, and says whether there are more. */
export const showRows = async <TRow extends object>(
  run: Run,
  view: RowView<TRow>,
  rows: AsyncIterable<TRow>,
): Promise<void> => {
  const limit = limitOf(run);
  let hasMore = false;
  const shown = async function* () {
    let count = 0;
    for await (const row of rows) {
      hasMore = count === limit;
      if (hasMore) return;
      count += 1;
      yield row;
    }
  };
  await run.out.rows(shown(), view);
  if (hasMore)
    run.out.note(
      `Only ${limit} ${view.noun}${limit === 1 ? ' is' : 's are'} shown. ${run.options['limit'] === undefined ? 'Add --all' : 'Raise --limit'} for the rest.`,
    );
};

/** Number of rows to show. Output to a file or program is only limited by --limit. */
const limitOf = ({ io, options, out }: Run): number | undefined => {
  const given = numberOption(options, 'limit', 1);
  if (given !== undefined && !Number.isInteger(given))
    throw new UsageError(`--limit is ${given}. Use a whole number.`);
  if (given !== undefined) return given;
  const isForPeople = io.stdout.isTTY === true && out.format === 'table';
  return isForPeople && !isOn(options, 'all') ? defaultLimit : undefined;
};
