import { Option } from 'commander';
import { isOn, numberOption } from '../program/readOptions.ts';

/** Rows a table shows unless asked for more. */
const defaultLimit = 100;

/** Options of every `list`. */
export const listOptions = [
  new Option('--limit <rows>', `rows a table shows; default ${defaultLimit}`),
  new Option('--all', 'show every row'),
];

/** Rows to show. Programs get every row unless a limit is given. */
export const limitOf = (options: Readonly<Record<string, unknown>>): number | undefined => {
  const given = numberOption(options, 'limit', 1);
  if (given !== undefined) return Math.floor(given);
  const isForPrograms = isOn(options, 'json') || isOn(options, 'ndjson');
  return isForPrograms || isOn(options, 'all') ? undefined : defaultLimit;
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
