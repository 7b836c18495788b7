import type { PortalClient, User } from '@vitrine/portal-client';
import { Option } from 'commander';
import { UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { isOn } from '../program/readOptions.ts';

/** The option that a change of an administrator needs, as in `vitrine sync apply`. */
export const administratorOption = () =>
  new Option('--allow-administrators', 'also remove administrators or their roles');

/**
 * Rejects a change that takes a role of type `System` from a user, or that deletes such a user (`kept` is undefined),
 * unless the option is set.
 */
export const checkAdministrator = async (
  client: PortalClient,
  { user, kept }: { readonly user: User; readonly kept: readonly string[] | undefined },
  { io, options }: Run,
): Promise<void> => {
  const lost = (user.roles ?? []).filter((role) => kept?.includes(role) !== true);
  if (lost.length === 0 || isOn(options, 'allowAdministrators')) return;
  for await (const { name, type } of client.roles.list({ signal: io.signal }))
    if (type === 'System' && name !== undefined && lost.includes(name)) {
      const role = JSON.stringify(name);
      const effect =
        kept === undefined
          ? `be deleted, and is an administrator (role ${role})`
          : `lose the administrator role ${role}`;
      throw new UsageError(
        `${user.email ?? 'The user'} would ${effect}. Add --allow-administrators if this is intended.`,
      );
    }
};
