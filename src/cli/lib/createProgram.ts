import { Command } from 'commander';
import { registerComplete } from './commands/completion.ts';
import { addCommand, type CommandContext, type CommandSpec } from './program/addCommand.ts';
import { helpLayout, helpWidthOf } from './program/helpLayout.ts';
import { readVersion } from './program/readVersion.ts';

/** What a command does, and how to load its code. */
interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Omit<CommandSpec, 'summary'>>;
}

/** The commands of the resources of the API. */
const resourceSummaries: Readonly<Record<string, string>> = {
  users: 'Manage users',
  roles: 'List and create roles (the API cannot change or delete them)',
  units: 'List, create and sync organizational units (the API cannot change or delete them)',
  items: 'List and import reports, dashboards and apps (the API cannot change or delete them)',
  tasks: 'List tasks: webhooks and DAX queries (read-only)',
  links: 'List active Report Keys and Slideshow links (read-only)',
};

/**
 * All commands, in the order of `vitrine --help`. Only the command that runs is loaded: the portal, its database and
 * the HTTP client take most of a second of CPU time.
 */
const entries: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'Add a report to a Next.js, React Router, Express, Hono or Vite app',
    load: async () => (await import('./commands/init/init.ts')).initCommand,
  },
  portal: {
    summary: 'Run a complete portal on this machine: API, report pages, webhooks, console',
    load: async () => (await import('./commands/portal/portalCommand.ts')).portalCommand,
  },
  ...Object.fromEntries(
    Object.entries(resourceSummaries).map(([name, summary]) => [
      name,
      { summary, load: async () => (await import('./commands/resources.ts')).resourceCommand(name) },
    ]),
  ),
  api: {
    summary: 'Send one request to the administration API',
    load: async () => (await import('./commands/api.ts')).apiCommand,
  },
  generate: {
    summary: "Write a TypeScript module with the names and IDs of the portal's reports",
    load: async () => (await import('./commands/generate/generateCommand.ts')).generateCommand,
  },
  keys: {
    summary: 'Create encrypted keys for embedded reports, for debugging or for backends in other languages',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  sync: {
    summary: 'Sync users, roles, units and items from a directory: plan, review, apply',
    load: async () => (await import('./commands/sync/syncCommand.ts')).syncCommand,
  },
  audit: {
    summary: 'List, follow and export the audit log',
    load: async () => (await import('./commands/audit/auditCommand.ts')).auditCommand,
  },
  actions: {
    summary: 'List, replay and discard the actions that a host received by webhook',
    load: async () => (await import('./commands/actions/actionsCommand.ts')).actionsCommand,
  },
  doctor: {
    summary: 'Check connectivity to the portal: configuration, network, secrets, a key, its report page',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  conformance: {
    summary: 'Check whether a portal conforms to its interface',
    load: async () => (await import('./commands/conformance.ts')).conformanceCommand,
  },
  completion: {
    summary: 'Print the completion script for a shell: bash, zsh, fish',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
};

/**
 * The command line, ready to parse `args`. Only the commands that `args` name are loaded; without `args`, all of them.
 */
export const createProgram = async (context: CommandContext, args?: readonly string[]): Promise<Command> => {
  const { io } = context;
  const helpWidth = helpWidthOf(io);
  const program = new Command('vitrine')
    .description('Run, check and administer a portal from the command line.')
    .version(readVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => 80,
      getOutHasColors: () => io.stdout.isTTY === true,
      getErrHasColors: () => io.stderr.isTTY === true,
    })
    .configureHelp(helpLayout)
    .enablePositionalOptions()
    .showSuggestionAfterError();
  for (const [name, { summary, load }] of Object.entries(entries)) {
    const spec = (args?.includes(name) ?? true) ? await load() : { usage: name };
    addCommand(program, context, { ...spec, summary });
  }
  registerComplete(program, context);
  const help = program.createHelp();
  help.prepareContext({ helpWidth });
  for (const [title, rows] of Object.entries(environmentHelp)) {
    const width = Math.max(...Object.keys(rows).map(({ length }) => length));
    const items = Object.entries(rows).map(([term, text]) => help.formatItem(term, width, text, help));
    program.addHelpText('after', ['', title, ...items].join('\n'));
  }
  // The library shows the help of the group for `vitrine nonsense --help`.
  program.on('beforeAllHelp', ({ command }: { command: Command }) => {
    const [word = '-'] = command.args;
    if (command.commands.length > 0 && word !== 'help' && !word.startsWith('-'))
      command.error(`error: unknown command '${word}'`);
  });
  return program;
};

/** The end of `vitrine --help`. */
const environmentHelp = {
  'Environment:': {
    VITRINE_BASE_URL: "address of the portal's administration API",
    VITRINE_API_KEY: 'Tenant API Key; never an argument, because others could see it',
    VITRINE_API_KEY_FILE: 'a file that contains it',
    NO_COLOR: 'print without colors',
  },
  'Exit codes:': {
    0: 'done, or nothing to do',
    1: 'failed, or wrong usage',
    2: 'a plan has changes, something was left out, or a portal differs from its interface',
  },
};
