import type { Command } from 'commander';
import type { CommandContext, CommandSpec } from '../program/addCommand.ts';

/** `vitrine completion`: completion scripts for shells. */
export const completionCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'completion <shell>',
  choices: ['bash', 'zsh', 'fish'],
  examples: [
    { line: 'vitrine completion bash', note: 'bash: source <(vitrine completion bash)' },
    { line: 'vitrine completion zsh', note: 'zsh: source <(vitrine completion zsh)' },
    { line: 'vitrine completion fish', note: 'fish: vitrine completion fish | source' },
  ],
  run: ({ args, out }) => {
    const script = scripts[args[0] ?? ''];
    out.record({ script }, script);
    return Promise.resolve();
  },
};

const scripts: Readonly<Record<string, string>> = {
  bash: `_vitrine() {
  local IFS=$'\\n'
  COMPREPLY=($(vitrine __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _vitrine vitrine`,
  zsh: `#compdef vitrine
_vitrine() {
  local -a candidates
  candidates=("\${(@f)$(vitrine __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -a candidates; else _files; fi
}
compdef _vitrine vitrine`,
  fish: `complete -c vitrine -f -a '(vitrine __complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
complete -c vitrine -n 'test (count (commandline -opc)) -gt 2' -F`,
};

/** `vitrine __complete`: completion candidates for the shell scripts, which therefore never become outdated. */
export const registerComplete = (program: Command, { io }: CommandContext): void => {
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
  const [last = '', before = ''] = words.toReversed();
  let command = program;
  for (const word of words.slice(0, -1))
    command = command.commands.find((child) => child.name() === word) ?? command;
  const flags = command.options.flatMap((option) => option.long ?? []);
  const names = command.commands.map((child) => child.name()).filter((name) => !name.startsWith('__'));
  const option = command.options.find(({ long, short }) => before === long || before === short);
  // Without a choice, the shell offers files.
  const values = option?.required ? (option.argChoices ?? []) : command.registeredArguments[0]?.argChoices;
  const offered = last.startsWith('-') ? [...flags, '--help'] : (values ?? names);
  return [...new Set(offered)].filter((text) => text.startsWith(last));
};
