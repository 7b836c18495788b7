import type { ItemInput, RoleInput, UserInput } from '@vitrine/contract/service';
import { checkOptions, type OptionNames } from '../errors/checkOptions.ts';
import { joinUnitPath, splitUnitPath } from '../resources/organizationUnitTree.ts';
import type { ApplyOptions } from './apply/applyOptions.ts';
import { applyPlan } from './apply/applyPlan.ts';
import type { ApplyResult } from './apply/applyResult.ts';
import type { DesiredUser } from './desiredState.ts';
import { planSync } from './plan/planSync.ts';
import type { SyncPlan } from './plan/syncPlan.ts';
import type { SyncPort } from './syncPort.ts';

/** A user of a customer. */
export interface CustomerUser extends Omit<DesiredUser, 'organizationUnits' | 'active' | 'origin'> {
  /** Units below the customer's own, `Sales` or `Sales/North`. Default: the customer's own unit. */
  readonly units?: readonly string[] | undefined;
}

/** A customer with its units, roles, users and items. */
export interface Customer {
  /** Name of the customer's organizational unit. */
  readonly name: string;
  /** Path of the parent unit, `/Customers`. Default the top. Created if missing. */
  readonly parentPath?: string | undefined;
  /** Units below the customer's own, `Sales` or `Sales/North`. */
  readonly organizationUnits?: readonly string[] | undefined;
  readonly roles?: readonly RoleInput[] | undefined;
  readonly users?: readonly CustomerUser[] | undefined;
  readonly items?: readonly ItemInput[] | undefined;
  /** Default fields of new users. */
  readonly userDefaults?: Partial<UserInput> | undefined;
}

/** Options of `provision`. */
export interface ProvisionOptions
  extends Pick<ApplyOptions, 'allowAdministrators' | 'signal' | 'onProgress' | 'concurrency' | 'journal'> {
  /** Only creates the plan. Default false. */
  readonly dryRun?: boolean | undefined;
}

/** The result of provisioning. */
export interface ProvisionResult {
  /** Path of the customer's unit. */
  readonly path: string;
  readonly plan: SyncPlan;
  /** Undefined in a dry run. */
  readonly result: ApplyResult | undefined;
}

const customerNames: OptionNames<Customer> = {
  name: true,
  parentPath: true,
  organizationUnits: true,
  roles: true,
  users: true,
  items: true,
  userDefaults: true,
};
const optionNames: OptionNames<ProvisionOptions> = {
  dryRun: true,
  allowAdministrators: true,
  journal: true,
  concurrency: true,
  signal: true,
  onProgress: true,
};

/**
 * Creates a customer in the tenant: a subtree of units, roles, users and items. Existing resources stay unchanged, and
 * existing users keep their names, and their roles and units in addition to the new ones, so you can repeat the call at any time.
 */
export const provision = async (
  port: SyncPort,
  customer: Customer,
  options: ProvisionOptions = {},
): Promise<ProvisionResult> => {
  checkOptions('The customer', customer, customerNames);
  checkOptions('provision', options, optionNames);
  const { dryRun = false, ...applyOptions } = options;
  const path = joinUnitPath(splitUnitPath(customer.parentPath ?? '').reduce(joinUnitPath, ''), customer.name);
  const below = (unit: string) => splitUnitPath(unit).reduce(joinUnitPath, path);
  const units = customer.organizationUnits ?? [];
  const usedUnits = (customer.users ?? []).flatMap((user) => user.units ?? []);
  const plan = await planSync(
    port.reader,
    {
      organizationUnits: [path, ...[...units, ...usedUnits].map(below)].map((unit) => ({ path: unit })),
      ...(customer.roles && { roles: customer.roles }),
      ...(customer.items && { items: customer.items }),
      ...(customer.users && {
        users: customer.users.map(({ units: own, ...user }) => ({
          ...user,
          organizationUnits: own === undefined || own.length === 0 ? [path] : own.map(below),
        })),
      }),
    },
    {
      missing: 'keep',
      lists: 'add',
      names: 'keep',
      allowEmpty: true,
      defaults: customer.userDefaults,
      signal: options.signal,
    },
  );
  return { path, plan, result: dryRun ? undefined : await applyPlan(port, plan, applyOptions) };
};
