import { tmpdir } from 'node:os';
import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../../../src/cli/lib/io.ts';
import { runCli } from '../../../src/cli/lib/runCli.ts';

export { temporaryFolder } from '../../support/temporaryFolder.ts';

const collector = (isTTY: boolean, columns: number) => {
  const stream = Object.assign(new PassThrough(), { isTTY, columns });
  // A pipe into the output of a process does not end it.
  stream.end = () => stream;
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { stream, text: () => text };
};

const piped = (input: string | Readable | undefined) =>
  input instanceof Readable ? input : Readable.from(input === undefined ? [] : [Buffer.from(input)]);

const keyboard = (typed: string) => {
  const stream = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  stream.write(typed);
  return stream;
};

export interface CommandRun {
  readonly env?: Record<string, string | undefined>;
  readonly cwd?: string;
  readonly stdin?: string | Readable;
  /** The input of a user, if there is a terminal. */
  readonly typed?: string;
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly signal?: AbortSignal;
}

/** The words of a command line, with quoted ones kept together, without the program's own name. */
export const words = (line: string): string[] =>
  [...line.replace(/^vitrine /, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );

/** Runs a command line in this process, as a shell would start it. */
export const runCommand = async (line: string | readonly string[], run: CommandRun = {}) => {
  const out = collector(run.isTerminal === true, run.columns ?? 80);
  const err = collector(run.isTerminal === true, run.columns ?? 80);
  const io: Io = {
    env: run.env ?? {},
    cwd: run.cwd ?? tmpdir(),
    stdin: run.typed === undefined ? piped(run.stdin) : keyboard(run.typed),
    stdout: out.stream,
    stderr: err.stream,
    signal: run.signal ?? new AbortController().signal,
  };
  const exitCode = await runCli(typeof line === 'string' ? words(line) : line, io);
  return { exitCode, stdout: out.text(), stderr: err.text() };
};
