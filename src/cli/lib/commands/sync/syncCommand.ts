import type { CommandSpec } from '../../program/addCommand.ts';
import { applyCommand } from './applyCommand.ts';
import { planCommand } from './planCommand.ts';

/** `vitrine sync`: syncs the tenant from a directory. */
export const syncCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'sync',
  commands: [planCommand, applyCommand],
};
