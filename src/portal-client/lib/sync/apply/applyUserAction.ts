import { emailKey, type UserInput } from '@vitrine/contract/service';
import type { PortalError } from '../../errors/portalError.ts';
import { isPortalError } from '../../errors/portalError.ts';
import type { User } from '../../resources/user.ts';
import { type UserField, type UserFieldValues, userFields } from '../desiredState.ts';
import type { UserAction } from '../plan/syncPlan.ts';
import type { SyncWriter } from '../syncPort.ts';
import { differingFields, fieldsOf, isSameValue } from '../userFieldValues.ts';
import type { Outcome } from './applyResult.ts';
import { failureOf } from './failureOf.ts';

/** Context of a user action. */
export interface UserActionContext {
  readonly writer: SyncWriter;
  /** Whether an earlier run started this action and did not record its end. */
  readonly isUncertain: boolean;
  /** Finds the user of an address; reads the users once, on first use. */
  readonly findByEmail: (key: string) => Promise<User | undefined>;
  /** Replaces paths of new units by identifiers. Throws if one was not created. */
  readonly unitIds: (references: readonly string[]) => readonly string[];
}

/** Performs one user action, after checking that the user has not changed since the plan. */
export const applyUserAction = (action: UserAction, context: UserActionContext): Promise<Outcome> => {
  switch (action.action) {
    case 'create':
      return createUser(action, context);
    case 'update':
      return changeUser(action, context, (field) => action.changes[field]);
    case 'disable':
      return changeUser(action, context, (field) =>
        field === 'roles' || field === 'organizationUnits'
          ? { from: action.before[field], to: [] }
          : undefined,
      );
    case 'delete':
      return deleteUser(action, context);
  }
};

type CreateAction = Extract<UserAction, { action: 'create' }>;

const createUser = async (
  action: CreateAction,
  { writer, isUncertain, findByEmail, unitIds }: UserActionContext,
): Promise<Outcome> => {
  const input = inputOf(action, unitIds);
  let isKnownAbsent = !isUncertain;
  try {
    if (isUncertain) {
      const there = await findByEmail(action.key);
      if (there !== undefined) return settleCreate(action, there, unitIds);
      isKnownAbsent = true;
    }
    const created = await writer.createUser(input);
    return created === undefined ? { state: 'done' } : compareCreated(input, created, 'done');
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return { ...failureOf(error), mayExist: !isKnownAbsent || mayExist(error) };
  }
};

/** The outcome of a doubtful creation, if the user exists. */
export const settleCreate = (
  action: CreateAction,
  there: User,
  unitIds: UserActionContext['unitIds'],
): Outcome => compareCreated(inputOf(action, unitIds), there, 'already');

const inputOf = ({ input }: CreateAction, unitIds: UserActionContext['unitIds']): UserInput => ({
  ...input,
  organizationUnits: unitIds(input.organizationUnits ?? []),
});

/** Whether the user may exist after this failure: created by somebody else, or by us without a response. */
const mayExist = ({ kind }: PortalError): boolean =>
  kind === 'conflict' ||
  kind === 'network' ||
  kind === 'timeout' ||
  kind === 'server' ||
  kind === 'invalid_response';

const compareCreated = (input: UserInput, user: User, state: 'done' | 'already'): Outcome => {
  const differing = shownDifferences(fieldsOf(input), user);
  if (differing.length === 0) return { state };
  return state === 'done'
    ? notAsSent(differing)
    : {
        state: 'drifted',
        message: `a user with this address exists with a different ${differing.join(', ')}`,
      };
};

const changeUser = async (
  action: Extract<UserAction, { action: 'update' | 'disable' }>,
  { writer, unitIds }: UserActionContext,
  changeOf: (
    field: UserField,
  ) =>
    | { readonly from: string | readonly string[] | undefined; readonly to: string | readonly string[] }
    | undefined,
): Promise<Outcome> => {
  const user = await writer.getUser(action.userId);
  if (user === undefined) return gone;
  if (emailKey(user.email ?? '') !== action.key) return otherAddress;
  const current = fieldsOf(user);
  const patch: Record<string, string | readonly string[]> = {};
  for (const field of userFields) {
    const change = changeOf(field);
    if (change === undefined) continue;
    const to =
      field === 'organizationUnits' && typeof change.to !== 'string' ? unitIds(change.to) : change.to;
    if (isSameValue(current[field], to)) continue;
    if (!isSameValue(current[field], change.from))
      return { state: 'drifted', message: `its ${field} changed since the plan was made` };
    patch[field] = to;
  }
  if (Object.keys(patch).length === 0) return { state: 'already' };
  const updated = (await writer.updateUser(action.userId, patch)) ?? (await writer.getUser(action.userId));
  const differing = updated === undefined ? [] : shownDifferences(patch, updated);
  return differing.length === 0 ? { state: 'done' } : notAsSent(differing);
};

const deleteUser = async (
  action: Extract<UserAction, { action: 'delete' }>,
  { writer }: UserActionContext,
): Promise<Outcome> => {
  const user = await writer.getUser(action.userId);
  if (user === undefined) return { state: 'already' };
  if (emailKey(user.email ?? '') !== action.key) return otherAddress;
  const differing = differingFields(action.before, fieldsOf(user));
  if (differing.length > 0)
    return { state: 'drifted', message: `its ${differing.join(', ')} changed since the plan was made` };
  await writer.deleteUser(action.userId);
  return { state: 'done' };
};

/** Fields that the service returns with other values than sent. */
const shownDifferences = (sent: UserFieldValues, user: User): readonly UserField[] => {
  const shown = fieldsOf(user);
  return differingFields(sent, shown).filter((field) => shown[field] !== undefined);
};

const notAsSent = (fields: readonly UserField[]): Outcome => ({
  state: 'failed',
  kind: 'invalid_response',
  message: `the portal accepted it, but returned other values for ${fields.join(', ')}`,
});

const gone: Outcome = { state: 'drifted', message: 'the user no longer exists' };
const otherAddress: Outcome = { state: 'drifted', message: 'the user now has another email address' };
