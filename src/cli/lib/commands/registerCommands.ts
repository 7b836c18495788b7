import type { Command } from 'commander';
import type { Io } from '../io.ts';

/** Context of a command. */
export interface CommandContext {
  readonly io: Io;
  /** Sets the exit code of the process; an uncaught error sets 1. */
  readonly setExitCode: (code: number) => void;
}

/** Adds a command, or a group of commands, to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;

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
    load: async () => (await import('./init/registerInit.ts')).registerInit,
  },
  {
    name: 'portal',
    summary: 'Run a complete portal on this machine: API, report pages, webhooks, console.',
    load: async () => (await import('./portal/registerPortal.ts')).registerPortal,
  },
  {
    name: 'users',
    summary: 'Manage users.',
    load: async () => (await import('./registerUsers.ts')).registerUsers,
  },
  {
    name: 'roles',
    summary: 'List and create roles. (The API cannot change or delete them.)',
    load: async () => (await import('./registerRoles.ts')).registerRoles,
  },
  {
    name: 'ous',
    summary: 'List, create and sync organizational units. (The API cannot change or delete them.)',
    load: async () => (await import('./registerOus.ts')).registerOus,
  },
  {
    name: 'items',
    summary: 'List and import reports, dashboards and apps. (The API cannot change or delete them.)',
    load: async () => (await import('./registerItems.ts')).registerItems,
  },
  {
    name: 'tasks',
    summary: 'List tasks: webhooks and DAX queries. (Read-only.)',
    load: async () => (await import('./registerTasks.ts')).registerTasks,
  },
  {
    name: 'links',
    summary: 'List active Report Keys and Slideshow links. (Read-only.)',
    load: async () => (await import('./registerLinks.ts')).registerLinks,
  },
  {
    name: 'generate',
    summary: "Write a TypeScript module with the names and IDs of the portal's reports.",
    load: async () => (await import('./generate/registerGenerate.ts')).registerGenerate,
  },
  {
    name: 'keys',
    summary: 'Create encrypted keys for embedded reports, for debugging or for backends in other languages.',
    load: async () => (await import('./registerKeys.ts')).registerKeys,
  },
  {
    name: 'sync',
    summary: 'Sync users, roles, units and items from a directory: plan, review, apply.',
    load: async () => (await import('./sync/registerSync.ts')).registerSync,
  },
  {
    name: 'audit',
    summary: 'List, follow and export the audit log.',
    load: async () => (await import('./audit/registerAudit.ts')).registerAudit,
  },
  {
    name: 'actions',
    summary: 'Inspect, replay, discard and export the actions that a host received by webhook.',
    load: async () => (await import('./actions/registerActions.ts')).registerActions,
  },
  {
    name: 'doctor',
    summary: 'Check connectivity to the portal: configuration, network, secrets, a key, its report page.',
    load: async () => (await import('./registerDoctor.ts')).registerDoctor,
  },
  {
    name: 'conformance',
    summary: 'Check whether a portal conforms to its interface.',
    load: async () => (await import('./conformance/registerConformance.ts')).registerConformance,
  },
  {
    name: 'completion',
    summary: 'Print the completion script for a shell: bash, zsh, fish.',
    load: async () => (await import('./registerCompletion.ts')).registerCompletion,
  },
];

/**
 * Adds every command to the program: those that `isWanted` accepts completely, the others only with name and summary, for help and
 * suggestions.
 */
export const registerCommands = async (
  program: Command,
  context: CommandContext,
  isWanted: (name: string) => boolean,
): Promise<void> => {
  for (const { name, summary, load } of entries)
    if (isWanted(name)) (await load())(program, context);
    else program.command(name).description(summary).summary(summary);
};
