import { Option } from 'commander';
import type { Run } from '../program/addCommand.ts';
import { isOn, numberOption } from '../program/readOptions.ts';

/** Rows a terminal shows unless asked for more. */
const defaultLimit = 100;

/** Options of every `list`. */
export const listOptions = [
  new Option('--limit <rows>', `rows to show; default ${defaultLimit} on a terminal, otherwise all`),
  new Option('--all', 'show every row'),
  new Option('--columns <names>', 'fields to show, in this order: id,name'),
];

/** Rows to show. Output that a file or program reads is never cut unless a limit is given. */
export const limitOf = ({ io, options, out }: Run): number | undefined => {
  const given = numberOption(options, 'limit', 1);
  if (given !== undefined) return Math.floor(given);
  const isForPeople = io.stdout.isTTY === true && out.format === 'table';
  return isForPeople && !isOn(options, 'all') ? defaultLimit : undefined;
};

/** The first rows of a list. */
export async function* take<TRow>(
  rows: AsyncIterable<TRow>,
  limit: number | undefined,
): AsyncGenerator<TRow> {
  let count = 0;
  for await (const row of rows) {
    yield row;
    count += 1;
    if (count === limit) return;
  }
}
