import { isRecord, member } from '../dialect/json.ts';
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

const isActionList = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (action) =>
      isRecord(action) &&
      typeof member(action, 'key') === 'string' &&
      ['create', 'update', 'disable', 'delete'].includes(String(member(action, 'action'))) &&
      ['user', 'role', 'organizationUnit', 'item'].includes(String(member(action, 'resource'))),
  );

const badPlan = (problem: string): PortalError =>
  new PortalError(`The plan cannot be read: ${problem}. Make it with planSync and save it as JSON.`, {
    kind: 'config',
    code: 'bad_plan',
  });
