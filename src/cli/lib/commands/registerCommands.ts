import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { registerActions } from './actions/registerActions.ts';
import { registerAudit } from './audit/registerAudit.ts';
import { registerCompletion } from './completion.ts';
import { registerDoctor } from './doctor.ts';
import { registerItems } from './items.ts';
import { registerOus } from './ous.ts';
import { registerPortal } from './portal.ts';
import { registerProvision } from './provision.ts';
import { registerRoles } from './roles.ts';
import { registerSync } from './sync/registerSync.ts';
import { registerLinks, registerTasks } from './tasksAndLinks.ts';
import { registerUsers } from './users.ts';

/** What a command is given. */
export interface CommandContext {
  readonly io: Io;
  /** Sets the exit code of the process; an uncaught error sets 1 by itself. */
  readonly setExitCode: (code: 0 | 1 | 2) => void;
}

/** Adds one command, or one family of them, to the program. */
export type RegisterCommand = (program: Command, context: CommandContext) => void;

/** Every command, in the order of `vitrine --help`. One file per command or family. */
const commands: readonly RegisterCommand[] = [
  registerPortal,
  registerUsers,
  registerRoles,
  registerOus,
  registerItems,
  registerTasks,
  registerLinks,
  registerSync,
  registerProvision,
  registerAudit,
  registerActions,
  registerDoctor,
  registerCompletion,
];

export const registerCommands: RegisterCommand = (program, context) => {
  for (const register of commands) register(program, context);
};
