import type { Command } from 'commander';
import type { RegisterCommand } from './registerCommands.ts';

/** `vitrine __complete`: completion candidates for the shell scripts, which therefore never become outdated. */
export const registerComplete: RegisterCommand = (program, { io }) => {
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action((words: readonly string[]) => {
      for (const candidate of candidatesFor(program, words)) io.stdout.write(`${candidate}\n`);
    });
};

/** Candidates for the last of the words. */
export const candidatesFor = (program: Command, words: readonly string[]): readonly string[] => {
  const last = words.at(-1) ?? '';
  let command = program;
  const path: Command[] = [program];
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((child) => child.name() === word);
    if (next === undefined) continue;
    command = next;
    path.push(command);
  }
  const flags = path.flatMap((step) => step.options).flatMap((option) => option.long ?? []);
  const names = command.commands.map((child) => child.name()).filter((name) => !name.startsWith('__'));
  const offered = last.startsWith('-') ? [...flags, '--help'] : names;
  return [...new Set(offered)].filter((text) => text.startsWith(last));
};
