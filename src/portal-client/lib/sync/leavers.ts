import type { UserAction, UserFieldValues } from './syncPlan.ts';
import { folded } from './text.ts';

/** The part of an existing user that planning needs. */
export interface ExistingUser {
  readonly userId: string;
  readonly email: string;
  readonly createdAt: string | undefined;
  readonly fields: UserFieldValues;
  readonly isProtected: boolean;
  /** How many users of the tenant have the address. */
  sharedBy: number;
  /** Where the row of the source for this user stands. */
  row: string | undefined;
  isInactive: boolean;
}

type Creation = Extract<UserAction, { action: 'create' }>;

/** Full name, first name, last name; empty if the person has none. */
const names: readonly ((fields: UserFieldValues) => string)[] = [
  ({ firstName = '', lastName = '' }) => firstName && lastName && folded(`${firstName} ${lastName}`),
  ({ firstName = '' }) => folded(firstName),
  ({ lastName = '' }) => folded(lastName),
];

/**
 * Pairs those who would go with newcomers of the same name: both names, else a first or last name that only one has on
 * each side, because people change one of them.
 */
export const samePeople = (
  leavers: ReadonlyMap<string, ExistingUser>,
  actions: ReadonlyMap<string, UserAction>,
): ReadonlyMap<string, Creation> => {
  const pairs = new Map<string, Creation>();
  const newcomers = [...actions.values()].filter((action) => action.action === 'create');
  if (leavers.size === 0 || newcomers.length === 0) return pairs;
  for (const nameOf of names) {
    const old = Map.groupBy(leavers, ([, { fields }]) => nameOf(fields));
    const fresh = Map.groupBy(
      newcomers.filter(({ input }) => old.has(nameOf(input))),
      ({ input }) => nameOf(input),
    );
    for (const [name, [leaver, ...others]] of old) {
      const [newcomer, ...more] = fresh.get(name) ?? [];
      const isOne = name !== '' && others.length + more.length === 0;
      if (isOne && leaver && newcomer && !pairs.has(leaver[0])) pairs.set(leaver[0], newcomer);
    }
  }
  return pairs;
};

/** Marks the updates that take a role from more than ten users, or from at least three and most users of a small tenant. */
export const markRolesLostByMany = (
  actions: readonly UserAction[],
  existingUsers: number,
): readonly UserAction[] => {
  const losses = new Map<string, number>();
  for (const action of actions)
    for (const role of rolesLost(action)) losses.set(role, (losses.get(role) ?? 0) + 1);
  const isMany = (count: number) => count > 10 || (count >= 3 && count > existingUsers / 2);
  return actions.map((action) => {
    const rolesLostByMany = rolesLost(action).filter((role) => isMany(losses.get(role) ?? 0));
    return rolesLostByMany.length === 0 ? action : { ...action, rolesLostByMany };
  });
};

const rolesLost = (action: UserAction): readonly string[] => {
  const { from = [], to = [] } = (action.action === 'update' && action.changes.roles) || {};
  return [from].flat().filter((role) => !to.includes(role));
};
