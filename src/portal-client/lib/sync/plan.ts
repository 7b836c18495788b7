import { setImmediate } from 'node:timers/promises';
import type { ItemInput, OptionRules, RoleInput } from '@vitrine/contract/service';
import { checkOptions, optionError } from '../errors.ts';
import type { ListOperation } from '../rows.ts';
import type { DesiredUser, SourceReading, UserSource } from './people.ts';
import { type PlanOptions, planOptionNames } from './planOptions.ts';
import { createUserPlan } from './planUsers.ts';
import {
  createUnitPlan,
  type DesiredOrganizationUnit,
  type Draft,
  itemKey,
  planMissing,
  type Rows,
  roleKey,
} from './structure.ts';
import { checksumOf, planFormat, type SyncPlan } from './syncPlan.ts';
import { roleMark, type SyncPort } from './tenant.ts';

/** The desired state of a tenant. Omitted parts stay unchanged. */
export interface DesiredState {
  readonly users?: Rows<DesiredUser> | undefined;
  readonly roles?: Rows<RoleInput> | undefined;
  readonly organizationUnits?: Rows<DesiredOrganizationUnit> | undefined;
  readonly items?: Rows<ItemInput> | undefined;
}

const desiredNames: OptionRules<keyof DesiredState> = {
  users: true,
  roles: true,
  organizationUnits: true,
  items: true,
};

/**
 * Compares a tenant with the desired state and returns the necessary changes. Only sends GET. Rejects if the source cannot
 * be read to its end.
 */
export const planSync = async (
  port: SyncPort,
  desired: DesiredState,
  options: PlanOptions = {},
): Promise<SyncPlan> => {
  checkOptions('The desired state', desired, desiredNames);
  checkOptions('planSync', options, planOptionNames);
  // A text is iterable, too: its characters would be the rows.
  if (typeof desired.users === 'string')
    throw optionError('users', 'it is a text. Pass usersFromCsv(createReadStream("people.csv")), or rows');
  const { signal, onProgress } = options;
  const draft: Draft = { structure: [], conflicts: [], warnings: new Set(), unchanged: 0 };
  const list = <TOperation extends ListOperation>(operation: TOperation) => port.list(operation)({ signal });
  const units = createUnitPlan(draft, await Array.fromAsync(list('listOrganizationUnits')));
  const [existingRoles, roleRows] = [
    await Array.fromAsync(list('listRoles')),
    await Array.fromAsync(desired.roles ?? []),
  ];
  planMissing(
    draft,
    roleRows.map((to) => ({ action: 'create', resource: 'role', key: roleKey(to), to })),
    existingRoles.map(roleKey),
  );
  for await (const unit of desired.organizationUnits ?? []) units.add(unit);
  if (desired.items !== undefined) {
    const items = await Array.fromAsync(desired.items);
    planMissing(
      draft,
      items.map((to) => ({ action: 'create', resource: 'item', key: itemKey(to), to })),
      (await Array.fromAsync(list('listItems'))).map(itemKey),
    );
  }

  const users = createUserPlan(draft, options, units, [...existingRoles, ...roleRows]);
  let source: SourceReading | undefined;
  if (desired.users !== undefined) {
    for await (const user of list('listUsers')) {
      users.addExisting(user);
      onProgress?.({ phase: 'reading the tenant', count: users.counts.existingUsers });
    }
    for await (const row of desired.users) {
      // Rows of a JSON come without a pause, in which nothing could stop the run.
      if (users.counts.rows % rowsPerTurn === 0) await setImmediate();
      signal?.throwIfAborted();
      users.addRow(row);
      onProgress?.({ phase: 'comparing', count: users.counts.rows });
    }
    // Complete now that all users are read.
    source = (desired.users as Partial<UserSource>).reading?.();
    users.finish();
  }

  // Structure first, because users need it.
  const actions = [
    ...draft.structure,
    ...users.actions().toSorted((one, other) => rankOf[one.action] - rankOf[other.action]),
  ];
  await setImmediate();
  signal?.throwIfAborted();
  const { existingUsers, isProtected } = users.counts;
  const counts = { create: 0, update: 0, disable: 0, delete: 0 };
  for (const { action } of actions) counts[action] += 1;
  const plan = {
    ...planFormat,
    createdAt: new Date().toISOString(),
    baseUrl: port.baseUrl,
    fingerprint: { roles: existingRoles.map(roleMark), users: users.kept() },
    ...(source !== undefined && { source }),
    actions,
    conflicts: draft.conflicts,
    warnings: [...draft.warnings],
    counts: {
      ...counts,
      unchanged: draft.unchanged,
      conflicts: draft.conflicts.length,
      existingUsers,
      protected: isProtected,
    },
    unitPaths: Object.fromEntries(units.paths),
  };
  return { ...plan, checksum: checksumOf(plan) };
};

const rowsPerTurn = 1000;

/** Order of the actions on users: removals last. */
const rankOf = { create: 0, update: 1, disable: 2, delete: 3 } as const;
