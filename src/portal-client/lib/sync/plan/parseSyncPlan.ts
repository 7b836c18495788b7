import { emailKey } from '@vitrine/contract';
import { isRecord, type JsonRecord, member } from '../../dialect/json.ts';
import { readId } from '../../dialect/readFields.ts';
import { PortalError } from '../../errors/portalError.ts';
import type { PlanAction, SyncPlan } from './plan.ts';

/**
 * Reads a plan that was saved as JSON. Throws a {@link PortalError} of kind `config` for anything else. What a plan does
 * is counted again: an action may have been taken out by hand.
 */
export const parseSyncPlan = (text: string): SyncPlan => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badPlan('it is not JSON');
  }
  if (!isPlan(value)) throw badPlan('it was not created by planSync, or by another version');
  const count = (kind: PlanAction['action']) => value.actions.filter(({ action }) => action === kind).length;
  return {
    ...value,
    counts: {
      ...value.counts,
      create: count('create'),
      update: count('update'),
      disable: count('disable'),
      delete: count('delete'),
      conflicts: value.conflicts.length,
    },
  };
};

const isPlan = (value: unknown): value is SyncPlan =>
  isRecord(value) &&
  member(value, 'format') === 'vitrine-sync-plan' &&
  member(value, 'version') === 1 &&
  typeof member(value, 'id') === 'string' &&
  typeof member(value, 'baseUrl') === 'string' &&
  isCounts(member(value, 'counts')) &&
  (member(value, 'unitPaths') === undefined || isRecord(member(value, 'unitPaths'))) &&
  ['conflicts', 'warnings'].every((name) => isMessageList(member(value, name))) &&
  isActionList(member(value, 'actions'));

/** Numbers that nothing else in the plan tells. */
const isCounts = (counts: unknown): boolean =>
  isRecord(counts) &&
  ['unchanged', 'existingUsers', 'desiredUsers', 'protected'].every(
    (name) => typeof member(counts, name) === 'number',
  );

const isMessageList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((entry) => isRecord(entry) && typeof member(entry, 'message') === 'string');

const isActionList = (value: unknown): boolean => Array.isArray(value) && value.every(isAction);

/** Whether a step has what doing it needs. What the service thinks of its values is the service's affair. */
const isAction = (action: unknown): boolean => {
  if (!isRecord(action) || typeof member(action, 'key') !== 'string') return false;
  const has = (name: string, type: string) => typeof member(action, name) === type;
  const what = `${String(member(action, 'action'))} ${String(member(action, 'resource'))}`;
  switch (what) {
    case 'create user':
      return isUserOf(member(action, 'key'), member(action, 'input'));
    case 'create role':
    case 'create item':
      return isRecord(member(action, 'input'));
    case 'create organizationUnit':
      return has('name', 'string') && has('parentPath', 'string');
    case 'update user':
      return hasUser(action) && isRecord(member(action, 'changes'));
    case 'disable user':
    case 'delete user':
      return hasUser(action) && isRecord(member(action, 'before'));
    default:
      return false;
  }
};

/** Whether the user is the one the plan names: it is shown under its address and looked for under its key. */
const isUserOf = (key: unknown, user: unknown): boolean => {
  const email = isRecord(user) ? member(user, 'email') : undefined;
  return typeof email === 'string' && emailKey(email) === key;
};

const hasUser = (action: JsonRecord): boolean =>
  readId(member(action, 'userId')) !== undefined && isUserOf(member(action, 'key'), action);

const badPlan = (problem: string): PortalError =>
  new PortalError(`The plan cannot be read: ${problem}. Create it with planSync and save it as JSON.`, {
    kind: 'config',
    code: 'bad_plan',
  });
