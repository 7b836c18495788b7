import { isItemId } from '@vitrine/contract';
import { InvalidArgumentError } from 'commander';
import type { DoctorLine } from '../doctor/check.ts';
import { findEnvFile, withDevPortal, withEnvFile } from '../input/withEnvFile.ts';
import { type Colors, createColors } from '../output/createColors.ts';
import { wrapWords } from '../output/wrapWords.ts';
import type { RegisterCommand } from '../program/addCommand.ts';
import { readVersion } from '../program/readVersion.ts';

interface CommandOptions {
  readonly item?: number;
  readonly user: string;
  readonly role: readonly string[];
  readonly origin?: string;
  readonly env?: string;
  readonly dev?: boolean;
  readonly json?: boolean;
}

const readItem = (text: string): number => {
  if (!isItemId(Number(text))) throw new InvalidArgumentError('It must be the ID of a report, such as 1042.');
  return Number(text);
};

const readOrigin = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be an origin such as https://app.example.com.');
  return url.origin;
};

const marks = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  failed: ['✗', 'red'],
  skipped: ['–', 'dim'],
} as const satisfies Readonly<Record<DoctorLine['status'], unknown>>;
/** That of the longest title, and a space. */
const titleWidth = 28;
const indent = 4 + titleWidth;

/** Formats one line of the doctor for a terminal, with its advice below. */
const formatLine = (line: DoctorLine, colors: Colors, columns: number): string => {
  const [mark, color] = marks[line.status];
  const width = Math.max(30, columns - indent);
  const [first = '', ...more] = wrapWords(line.detail, width);
  const margin = ' '.repeat(indent);
  const rows = [
    `  ${colors[color](mark)} ${line.title.padEnd(titleWidth)}${line.status === 'skipped' ? colors.dim(first) : first}`,
    ...more.map((row) => `${margin}${row}`),
    ...(line.next === undefined
      ? []
      : wrapWords(line.next, width - 2).map((row, at) => `${margin}${at === 0 ? '→ ' : '  '}${row}`)),
  ];
  return `${rows.join('\n')}\n`;
};

const summary = (lines: readonly DoctorLine[]): string => {
  const count = (status: DoctorLine['status']) => lines.filter((line) => line.status === status).length;
  const failures = count('failed');
  if (failures > 0) return `${failures} ${failures === 1 ? 'check' : 'checks'} failed. Start with the first.`;
  const warnings = count('warning');
  const isUnfinished = lines.some(({ status, next }) => status === 'skipped' && next !== undefined);
  const notes = [
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning needs' : 'warnings need'} attention`] : []),
    ...(isUnfinished ? ['some checks could not run'] : []),
  ];
  return notes.length === 0 ? 'Everything works.' : `Nothing failed; ${notes.join(', and ')}.`;
};

/** `vitrine doctor`: checks the path from this machine to the portal line by line, with advice for every failure. */
export const registerDoctor: RegisterCommand = (program, { io, setExitCode }) => {
  program
    .command('doctor')
    .description('Check connectivity to the portal: configuration, network, secrets, a key, its report page.')
    .option('--item <number>', 'ID of the report to create a key for and to open', readItem)
    .option('--user <id>', 'user to create the key for', 'vitrine-doctor')
    .option('--role <code...>', 'RLS roles of the key', [])
    .option(
      '--origin <origin>',
      'origin of your application, to check whether it may frame the report',
      readOrigin,
    )
    .option(
      '--env <file>',
      'read VITRINE_… variables from a file (default: .env.local or .env, when none are set)',
    )
    .option('--dev', 'check the portal that `npm start` runs')
    .option('--json', 'print one JSON document instead of lines')
    .action(async (options: CommandOptions) => {
      const hasVariables = Object.keys(io.env).some((name) => name.startsWith('VITRINE_'));
      const envFile =
        options.env ?? (hasVariables || options.dev === true ? undefined : await findEnvFile(io.cwd));
      const given = envFile === undefined ? io.env : await withEnvFile(io.env, io.cwd, envFile);
      const env = options.dev === true ? await withDevPortal(given, io.cwd) : given;
      const colors = createColors(io, io.stdout);
      const lines: DoctorLine[] = [];
      const { runDoctor } = await import('../doctor/runDoctor.ts');
      for await (const line of runDoctor({
        env,
        envFile,
        isDev: options.dev === true,
        itemId: options.item,
        userId: options.user,
        roleNames: options.role,
        origin: options.origin,
        timeoutMs: 10_000,
      })) {
        lines.push(line);
        if (options.json !== true) io.stdout.write(formatLine(line, colors, io.stdout.columns ?? 100));
        if (io.signal.aborted) break;
      }
      const isWell = lines.every(({ status }) => status !== 'failed');
      if (options.json === true)
        io.stdout.write(`${JSON.stringify({ ok: isWell, checks: lines }, null, 2)}\n`);
      else
        io.stdout.write(
          `\n  ${isWell ? colors.green(summary(lines)) : colors.red(summary(lines))}\n  vitrine ${readVersion()}, Node ${process.versions.node}\n`,
        );
      setExitCode(isWell ? 0 : 1);
    });
};
