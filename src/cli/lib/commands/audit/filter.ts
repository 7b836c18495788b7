import type { PortalClient } from '@vitrine/portal-client';
import { Option } from 'commander';
import { parseMoment } from '../../input/parseMoment.ts';
import { UsageError } from '../../output/usageError.ts';
import type { Run } from '../../program/addCommand.ts';
import { numberOption, textOption } from '../../program/readOptions.ts';

/** Options that choose audit records. */
export const filterOptions = [
  new Option('--user <number>', 'only events of the user with this internal ID'),
  new Option('--action <type>', 'only events of this type, such as UserCreated'),
  new Option('--from <moment>', 'start: 2026-01-31, 2026-01-31T08:00:00Z, or 24h for 24 hours ago'),
];

/** The end of a range. */
export const toOption = new Option('--to <moment>', 'end, not included; default now');

/** The filter of the options. */
export const readFilter = ({ options }: Run): NonNullable<Parameters<PortalClient['audit']['list']>[0]> => {
  const nowMs = Date.now();
  const [start, end] = [textOption(options, 'from'), textOption(options, 'to')];
  const from = parseMoment(start, '--from', nowMs);
  const to = parseMoment(end, '--to', nowMs);
  if (from !== undefined && to !== undefined && to < from)
    throw new UsageError(
      `--to ${JSON.stringify(end)} is before --from ${JSON.stringify(start)}. Use a later end.`,
    );
  return { userId: numberOption(options, 'user', 0), actionType: textOption(options, 'action'), from, to };
};
