import { quoteText } from '@vitrine/contract';
import { type RoleInput, userTypes } from '@vitrine/contract/service';
import { type UnitPlan, unitPath, unknownName } from './structure.ts';
import { fieldsOf, type UserFieldValues } from './syncPlan.ts';
import { folded, nfc } from './text.ts';

/** A role of the tenant, or one that the plan creates. */
export type KnownRole = Readonly<Partial<Pick<RoleInput, 'name' | 'type'>>>;

/** The names of types, roles and units that users may have. */
export const createTenantNames = (
  roles: readonly KnownRole[],
  units: UnitPlan,
  createMissing: boolean | undefined,
) => {
  const roleNames = new Map(roles.map(({ name = '' }) => [nfc(name), name]));
  /** The contract's, and those that the tenant uses. */
  const types = new Map<string, string>(userTypes.map((type) => [folded(type), type]));

  return {
    addType: (type: string): void => void types.set(folded(type), type),
    /** Names types, roles and units as the tenant does, and adds to `problems` what cannot be used. */
    resolve: (
      { type, roles, organizationUnits, ...fields }: UserFieldValues,
      problems: string[],
    ): UserFieldValues => {
      const knownType = type === undefined ? undefined : types.get(folded(type));
      if (type !== undefined && knownType === undefined)
        problems.push(`its type ${quoteText(type)} is not one of ${[...types.values()].join(', ')}`);
      return fieldsOf({
        ...fields,
        type: knownType,
        roles: roles?.map((name) => {
          const known = roleNames.get(nfc(name));
          if (known === undefined) problems.push(unknownName('role', name, roleNames.values()));
          return known ?? name;
        }),
        organizationUnits: organizationUnits?.flatMap((given) => {
          const reference = given.trim().startsWith('/') ? unitPath(given) : given.trim();
          // The root is no unit.
          if (reference === '') return [];
          const unit = units.find(reference, createMissing === true);
          if (typeof unit !== 'string') return [unit.id];
          problems.push(unit);
          return [];
        }),
      });
    },
  };
};
