import type { CheckContext } from '../createContext.ts';
import { idOf, mustSucceed, readResource } from '../readers.ts';

/** Creates a role for users and returns its name. */
export const createRoleName = async (context: CheckContext): Promise<string> => {
  const name = context.unique('Role');
  mustSucceed(
    await context.admin('POST', '/v1/roles', {
      body: { name, type: 'System', code: context.unique('role'), description: 'For a user of the checks' },
    }),
  );
  return name;
};

/** Creates a unit at the top and returns its identifier. */
export const createUnitId = async (context: CheckContext): Promise<string> =>
  idOf(
    readResource(
      await context.admin('POST', '/v1/organization-units', {
        body: { name: context.unique('Unit'), parentId: 'root' },
      }),
    ),
  );
