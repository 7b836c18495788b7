import { UsageError } from '../output/usageError.ts';
import { addCommand } from '../program/addCommand.ts';
import type { RegisterCommand } from './registerCommands.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** `vitrine completion`: completion scripts for shells. */
export const registerCompletion: RegisterCommand = (program, context) => {
  addCommand(program, context, {
    usage: 'completion <shell>',
    summary: `Print the completion script for a shell: ${shells.join(', ')}`,
    examples: [
      { line: 'vitrine completion bash', note: 'bash: source <(vitrine completion bash)' },
      { line: 'vitrine completion zsh', note: 'zsh: source <(vitrine completion zsh)' },
      { line: 'vitrine completion fish', note: 'fish: vitrine completion fish | source' },
    ],
    run: ({ args, out }) => {
      const shell = shells.find((known) => known === args[0]);
      if (shell === undefined)
        throw new UsageError(`There is no script for ${JSON.stringify(args[0])}. Use ${shells.join(', ')}.`);
      out.line(scripts[shell]);
      return Promise.resolve();
    },
  });
};

const scripts: Readonly<Record<(typeof shells)[number], string>> = {
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
