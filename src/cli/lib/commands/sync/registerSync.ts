import { addPortalOptions } from '../../input/openClient.ts';
import { addCommand } from '../../program/addCommand.ts';
import type { RegisterCommand } from '../registerCommands.ts';
import { applyCommand } from './applyCommand.ts';
import { planCommand } from './planCommand.ts';

/** `vitrine sync`: bring the tenant in step with a directory. */
export const registerSync: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program.command('sync').description('Bring the tenant in step with a directory: plan, look, apply.'),
  );
  addCommand(family, context, planCommand);
  addCommand(family, context, applyCommand);
};
