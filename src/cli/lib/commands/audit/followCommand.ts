import { existsSync } from 'node:fs';
import type { AuditCheckpoint, AuditRecord } from '@vitrine/portal-client';
import { Option } from 'commander';
import { withClient } from '../../input/withClient.ts';
import type { Output } from '../../output/createOutput.ts';
import { fileToWrite, readText, replaceFile } from '../../output/fileError.ts';
import { formatValue, shortTime } from '../../output/text.ts';
import { UsageError } from '../../output/usageError.ts';
import type { CommandSpec } from '../../program/addCommand.ts';
import { numberOption, textOption } from '../../program/readOptions.ts';
import { filterOptions, readFilter } from './filter.ts';

/** `vitrine audit follow`: records as they arrive. */
export const followCommand: CommandSpec = {
  usage: 'follow',
  summary: 'Show new audit records until Ctrl-C',
  details:
    'With --checkpoint a later run resumes where this one stopped: no record is lost or shown twice. --json prints one line per record, as it arrives.',
  api: 'reads',
  options: [
    ...filterOptions,
    new Option('--checkpoint <file>', 'file that stores the position'),
    new Option('--poll <seconds>', 'seconds between checks; default 5'),
    new Option('--until-quiet', 'stop when a check finds no new records'),
  ],
  examples: [
    { line: 'vitrine audit follow --from 1h --until-quiet', note: 'the last hour' },
    {
      line: 'vitrine audit follow --from 1d --until-quiet --checkpoint audit.checkpoint --json',
      note: 'for a log collector that runs once a minute',
    },
  ],
  run: (run) =>
    withClient(run, async (client) => {
      const { io, out, options } = run;
      const file = textOption(options, 'checkpoint');
      const next = 'Choose another file with --checkpoint.';
      const path = file === undefined ? undefined : (await fileToWrite(io, file, next)).path;
      const pollSeconds = numberOption(options, 'poll', 0.1, 2_147_483) ?? 5;
      const stop = new AbortController();
      const { to: _, ...filter } = readFilter(run);
      const follower = client.audit.follow({
        ...filter,
        checkpoint: path === undefined ? undefined : await loadCheckpoint(path, io.signal),
        pollMs: pollSeconds * 1000,
        signal: AbortSignal.any([io.signal, stop.signal]),
        ...(options['untilQuiet'] === true && { onQuiet: () => stop.abort() }),
      });
      const save = async () => {
        if (path === undefined) return;
        const text = `${JSON.stringify(follower.checkpoint())}\n`;
        await replaceFile(path, text, `save the checkpoint to ${path}`, next);
      };
      let unsaved = 0;
      try {
        for await (const record of follower) {
          show(record, out);
          unsaved += 1;
          if (unsaved % 200 === 0) await save();
        }
      } finally {
        // Also after a failure, so that shown records are not shown again.
        await save();
      }
    }),
};

const show = (record: AuditRecord, out: Output): void => {
  if (out.format !== 'table') out.line(JSON.stringify(record));
  else
    out.line(
      [
        out.colors.dim(shortTime(record.timestamp)),
        formatValue(record.actionType),
        formatValue(record.userEmail ?? record.userId),
        out.colors.dim(formatValue(record.description)),
      ].join('  '),
    );
};

const loadCheckpoint = async (path: string, signal: AbortSignal): Promise<AuditCheckpoint | undefined> => {
  if (!existsSync(path)) return undefined;
  const text = await readText(
    path,
    `read the checkpoint ${path}`,
    'Check that it is a readable file.',
    signal,
  );
  try {
    const { parseAuditCheckpoint } = await import('@vitrine/portal-client');
    return parseAuditCheckpoint(JSON.parse(text));
  } catch {
    throw new UsageError(`The file ${path} is not a checkpoint. Remove it to start at --from.`);
  }
};
