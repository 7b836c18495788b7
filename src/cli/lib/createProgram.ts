import { Command } from 'commander';
import { registerComplete } from './commands/completion.ts';
import type { CommandContext, RegisterCommand } from './program/addCommand.ts';
import { readVersion } from './program/readVersion.ts';

/** A command in `vitrine --help`, and how to load its code. */
interface CommandEntry {
  readonly name: string;
  /** Equal to the description of the loaded command; a test compares them. */
  readonly summary: string;
  readonly load: () => Promise<RegisterCommand>;
}

/**
 * All commands, in the order of `vitrine --help`. Only the command that runs is loaded: the portal, its database and
 * the HTTP client take most of a second of CPU time.
 */
const entries: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'Add a report to a Next.js, React Router, Express, Hono or Vite app.',
    load: async () => (await import('./commands/init/init.ts')).registerInit,
  },
  {
    name: 'portal',
    summary: 'Run a complete portal on this machine: API, report pages, webhooks, console.',
    load: async () => (await import('./commands/portal/registerPortal.ts')).registerPortal,
  },
  {
    name: 'users',
    summary: 'Manage users.',
    load: async () => (await import('./commands/resources.ts')).registerResource('users'),
  },
  {
    name: 'roles',
    summary: 'List and create roles. (The API cannot change or delete them.)',
    load: async () => (await import('./commands/resources.ts')).registerResource('roles'),
  },
  {
    name: 'units',
    summary: 'List, create and sync organizational units. (The API cannot change or delete them.)',
    load: async () => (await import('./commands/resources.ts')).registerResource('units'),
  },
  {
    name: 'items',
    summary: 'List and import reports, dashboards and apps. (The API cannot change or delete them.)',
    load: async () => (await import('./commands/resources.ts')).registerResource('items'),
  },
  {
    name: 'tasks',
    summary: 'List tasks: webhooks and DAX queries. (Read-only.)',
    load: async () => (await import('./commands/resources.ts')).registerResource('tasks'),
  },
  {
    name: 'links',
    summary: 'List active Report Keys and Slideshow links. (Read-only.)',
    load: async () => (await import('./commands/resources.ts')).registerResource('links'),
  },
  {
    name: 'api',
    summary: 'Send one request to the administration API.',
    load: async () => (await import('./commands/api.ts')).registerApi,
  },
  {
    name: 'generate',
    summary: "Write a TypeScript module with the names and IDs of the portal's reports.",
    load: async () => (await import('./commands/generate/registerGenerate.ts')).registerGenerate,
  },
  {
    name: 'keys',
    summary: 'Create encrypted keys for embedded reports, for debugging or for backends in other languages.',
    load: async () => (await import('./commands/registerKeys.ts')).registerKeys,
  },
  {
    name: 'sync',
    summary: 'Sync users, roles, units and items from a directory: plan, review, apply.',
    load: async () => (await import('./commands/sync/registerSync.ts')).registerSync,
  },
  {
    name: 'audit',
    summary: 'List, follow and export the audit log.',
    load: async () => (await import('./commands/audit/registerAudit.ts')).registerAudit,
  },
  {
    name: 'actions',
    summary: 'Inspect, replay, discard and export the actions that a host received by webhook.',
    load: async () => (await import('./commands/actions/registerActions.ts')).registerActions,
  },
  {
    name: 'doctor',
    summary: 'Check connectivity to the portal: configuration, network, secrets, a key, its report page.',
    load: async () => (await import('./commands/registerDoctor.ts')).registerDoctor,
  },
  {
    name: 'conformance',
    summary: 'Check whether a portal conforms to its interface.',
    load: async () => (await import('./commands/conformance.ts')).registerConformance,
  },
  {
    name: 'completion',
    summary: 'Print the completion script for a shell: bash, zsh, fish.',
    load: async () => (await import('./commands/completion.ts')).registerCompletion,
  },
];

/**
 * The command line, ready to parse `args`. Only the commands that `args` name are loaded; without `args`, all of them.
 */
export const createProgram = async (context: CommandContext, args?: readonly string[]): Promise<Command> => {
  const { io } = context;
  const program = new Command('vitrine')
    .description('Run, check and administer a portal from the command line.')
    .version(readVersion(), '-V, --version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => Math.min(100, io.stdout.columns || 80),
      getErrHelpWidth: () => 80,
      getOutHasColors: () => io.stdout.isTTY === true,
      getErrHasColors: () => io.stderr.isTTY === true,
    })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError();
  const operands = args?.filter((word) => !word.startsWith('-'));
  for (const { name, summary, load } of entries)
    if (operands?.includes(name) ?? true) (await load())(program, context);
    else program.command(name).description(summary).summary(summary);
  registerComplete(program, context);
  program.addHelpText('after', `\n${environmentHelp}`);
  return program;
};

/** The end of `vitrine --help`. */
export const environmentHelp = `Environment:
  VITRINE_BASE_URL      address of the portal's administration API
  VITRINE_API_KEY       Tenant API Key; never an argument, because others could see it
  VITRINE_API_KEY_FILE  a file that contains it

Exit codes:
  0  done, or nothing to do
  1  failed, or wrong usage
  2  a plan has changes, something was left out, or a portal differs from its interface`;
