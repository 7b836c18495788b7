import { isRecord, type JsonRecord, member } from '../dialect/json.ts';
import { readId } from '../dialect/readFields.ts';
import { PortalError } from '../errors/portalError.ts';
import type { SyncPlan } from './plan.ts';

/** Reads a plan that was saved as JSON. Throws a {@link PortalError} of kind `config` for anything else. */
export const parseSyncPlan = (text: string): SyncPlan => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badPlan('it is no JSON');
  }
  if (!isPlan(value)) throw badPlan('it is no plan of planSync, or of another version');
  return value;
};

const isPlan = (value: unknown): value is SyncPlan =>
  isRecord(value) &&
  member(value, 'format') === 'vitrine-sync-plan' &&
  member(value, 'version') === 1 &&
  typeof member(value, 'id') === 'string' &&
  typeof member(value, 'baseUrl') === 'string' &&
  isRecord(member(value, 'counts')) &&
  ['conflicts', 'warnings'].every((name) => Array.isArray(member(value, name))) &&
  isActionList(member(value, 'actions'));

const isActionList = (value: unknown): boolean => Array.isArray(value) && value.every(isAction);

/** Whether a step has what doing it needs. What the service thinks of its values is the service's affair. */
const isAction = (action: unknown): boolean => {
  if (!isRecord(action) || typeof member(action, 'key') !== 'string') return false;
  const has = (name: string, type: string) => typeof member(action, name) === type;
  const what = `${String(member(action, 'action'))} ${String(member(action, 'resource'))}`;
  switch (what) {
    case 'create user':
    case 'create role':
    case 'create item':
      return isRecord(member(action, 'input'));
    case 'create organizationUnit':
      return has('name', 'string') && has('parentPath', 'string');
    case 'update user':
      return hasUserId(action) && isRecord(member(action, 'changes'));
    case 'disable user':
    case 'delete user':
      return hasUserId(action) && isRecord(member(action, 'before'));
    default:
      return false;
  }
};

const hasUserId = (action: JsonRecord): boolean => readId(member(action, 'userId')) !== undefined;

const badPlan = (problem: string): PortalError =>
  new PortalError(`The plan cannot be read: ${problem}. Make it with planSync and save it as JSON.`, {
    kind: 'config',
    code: 'bad_plan',
  });
