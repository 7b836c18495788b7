import { addPortalOptions } from '../../input/withClient.ts';
import type { RegisterCommand } from '../../program/addCommand.ts';
import { addCommand } from '../../program/addCommand.ts';
import { applyCommand } from './applyCommand.ts';
import { planCommand } from './planCommand.ts';

/** `vitrine sync`: syncs the tenant from a directory. */
export const registerSync: RegisterCommand = (program, context) => {
  const family = addPortalOptions(
    program
      .command('sync')
      .description('Sync users, roles, units and items from a directory: plan, review, apply.'),
  );
  addCommand(family, context, planCommand);
  addCommand(family, context, applyCommand);
};
