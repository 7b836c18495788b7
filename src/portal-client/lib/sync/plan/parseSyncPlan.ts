import { emailKey } from '@vitrine/contract/service';
import { PortalError } from '../../errors/portalError.ts';
import { isRecord, type JsonRecord, member } from '../../responses/jsonValues.ts';
import { readId } from '../../responses/readFields.ts';
import { isFingerprint } from '../fingerprint.ts';
import { type PlanAction, planFormat, type SyncPlan } from './syncPlan.ts';

/**
 * Reads a plan that was saved as JSON. Throws a {@link PortalError} of kind `config` if it is not valid. It counts the
 * actions again, because some may have been removed by hand.
 */
export const parseSyncPlan = (text: string): SyncPlan => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badPlan('it is not JSON');
  }
  if (!isPlan(value)) throw badPlan('it was created by another version, or not by {planSync}');
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
  member(value, 'format') === planFormat.format &&
  member(value, 'version') === planFormat.version &&
  typeof member(value, 'id') === 'string' &&
  typeof member(value, 'baseUrl') === 'string' &&
  isFingerprint(member(value, 'fingerprint')) &&
  isCounts(member(value, 'counts')) &&
  (member(value, 'unitPaths') === undefined || isRecord(member(value, 'unitPaths'))) &&
  ['conflicts', 'warnings'].every((name) => isMessageList(member(value, name))) &&
  isActionList(member(value, 'actions'));

/** Checks the counts that cannot be derived from the plan. */
const isCounts = (counts: unknown): boolean =>
  isRecord(counts) &&
  ['unchanged', 'existingUsers', 'desiredUsers', 'protected'].every(
    (name) => typeof member(counts, name) === 'number',
  );

const isMessageList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every((entry) => isRecord(entry) && typeof member(entry, 'message') === 'string');

const isActionList = (value: unknown): boolean => Array.isArray(value) && value.every(isAction);

/** Whether an action has the fields that applying it needs. The service checks their values. */
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
      return hasUser(action) && isChanges(member(action, 'changes'));
    case 'disable user':
    case 'delete user':
      return hasUser(action) && isRecord(member(action, 'before'));
    default:
      return false;
  }
};

/** Whether key and address are of the same user: it is displayed by address and found by key. */
const isUserOf = (key: unknown, user: unknown): boolean => {
  const email = isRecord(user) ? member(user, 'email') : undefined;
  return typeof email === 'string' && emailKey(email) === key;
};

const isChanges = (changes: unknown): boolean =>
  isRecord(changes) &&
  Object.values(changes).every((change) => isRecord(change) && isFieldValue(member(change, 'to')));

const isFieldValue = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);

const hasUser = (action: JsonRecord): boolean =>
  readId(member(action, 'userId')) !== undefined && isUserOf(member(action, 'key'), action);

const badPlan = (problem: string): PortalError =>
  new PortalError(`The plan cannot be read: ${problem}. Create it with {planSync} and save it as JSON.`, {
    kind: 'config',
    code: 'bad_plan',
  });
