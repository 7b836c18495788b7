import { Option } from 'commander';
import type { DoctorLine } from '../doctor/check.ts';
import type { Colors } from '../output/createColors.ts';
import { UsageError } from '../output/usageError.ts';
import { type CommandSpec, envOption, listOption, type Run } from '../program/addCommand.ts';
import { wrapWords } from '../program/helpLayout.ts';
import { listOf, readItemId, textOption } from '../program/readOptions.ts';
import { readVersion } from '../program/readVersion.ts';
import { findEnvFile, withEnvFile } from '../program/withEnvFile.ts';

const marks = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
} as const satisfies Readonly<Record<DoctorLine['status'], unknown>>;
/** That of the longest title, and a space. */
const titleWidth = 19;
const indent = 4 + titleWidth;

/** Formats one line of the doctor for a terminal, with its advice below. */
const formatLine = (line: DoctorLine, colors: Colors, columns: number): string => {
  const [mark, color] = marks[line.status];
  // On a narrow terminal, the details are below the title.
  const isNarrow = columns < indent + 30;
  const margin = ' '.repeat(isNarrow ? 4 : indent);
  const width = columns - margin.length;
  const details = wrapWords(line.detail, width).map((row) => margin + row);
  const title = `  ${colors[color](mark)} ${line.title.padEnd(titleWidth)}`;
  const first = isNarrow ? undefined : details.shift()?.trimStart();
  const advice = line.next === undefined ? [] : wrapWords(line.next, width - 2);
  const rows = [
    first === undefined ? title.trimEnd() : title + (line.status === 'skipped' ? colors.dim(first) : first),
    ...details,
    ...advice.map((row, at) => `${margin}${at === 0 ? '→ ' : '  '}${row}`),
  ];
  return `${rows.join('\n')}\n`;
};

const summary = (lines: readonly DoctorLine[]): string => {
  const count = (status: DoctorLine['status']) => lines.filter((line) => line.status === status).length;
  const failures = count('failed');
  if (failures > 0) return `${failures} ${failures === 1 ? 'check' : 'checks'} failed. Start with the first.`;
  const isUnfinished = lines.some(({ status, next }) => status === 'skipped' && next !== undefined);
  return isUnfinished || count('warning') > 0
    ? 'Nothing failed. What needs attention, or could not run, has advice above.'
    : 'Everything works.';
};

/** `vitrine doctor`: checks the path from this machine to the portal line by line, with advice for every failure. */
export const doctorCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'doctor',
  details: 'Without --env and VITRINE_… variables, it reads them from .env.local or .env.',
  options: [
    new Option('--item <number>', 'ID of the report to create a key for and to open'),
    new Option('--user <id>', 'user to create the key for').default('vitrine-doctor'),
    listOption('--role <code>', 'RLS role of the key; may be repeated'),
    new Option('--origin <origin>', 'origin of your application, to check whether it may frame the report'),
    envOption(),
  ],
  examples: [{ line: 'vitrine doctor --item 1042 --role all-regions', note: 'up to the framed report' }],
  run: (run) => runDoctorCommand(run),
};

const runDoctorCommand = async ({ io, out, options, setExitCode }: Run): Promise<void> => {
  const [item, given] = [textOption(options, 'item'), textOption(options, 'env')];
  const hasVariables = Object.keys(io.env).some((name) => name.startsWith('VITRINE_'));
  const found = given === undefined && !hasVariables ? await findEnvFile(io.cwd) : undefined;
  const lines: DoctorLine[] = [];
  const columns = io.stdout.columns || 100;
  const show = (line: DoctorLine) => io.stdout.write(formatLine(line, out.colors, columns));
  const isLive = out.format === 'table' && io.stdout.isTTY === true;
  const { runDoctor } = await import('../doctor/runDoctor.ts');
  for await (const line of runDoctor({
    env: found === undefined ? io.env : await withEnvFile(io, found),
    envFile: given ?? found,
    itemId: item === undefined ? undefined : readItemId(item),
    userId: textOption(options, 'user') ?? '',
    roleNames: listOf(options, 'role') ?? [],
    origin: readOrigin(textOption(options, 'origin')),
    timeoutMs: 10_000,
    signal: io.signal,
  })) {
    io.signal.throwIfAborted();
    lines.push(line);
    if (isLive) show(line);
  }
  io.signal.throwIfAborted();
  const isWell = lines.every(({ status }) => status !== 'failed');
  setExitCode(isWell ? 0 : 1);
  if (out.format === 'json') return out.record({ ok: isWell, checks: lines });
  // Now, because a program such as `head` may close its input, and the exit code is known.
  if (!isLive) lines.forEach(show);
  const end = wrapWords(summary(lines), columns - 2).join('\n  ');
  out.line(`\n  ${isWell ? out.colors.green(end) : out.colors.red(end)}`);
  out.line(`  vitrine ${readVersion()}, Node ${process.versions.node}`);
};

const readOrigin = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new UsageError(`--origin is ${JSON.stringify(text)}. Use an origin such as https://app.example.com.`);
};
