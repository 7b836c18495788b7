import { maxRlsRoles } from '@vitrine/contract/service';
import { callHost, createAwaitedCheck, type MaybePromise } from './hostCalls.ts';
import { type Logger, warningFields } from './log.ts';
import { KeyRequestError } from './problems.ts';

interface ViewerIdentity {
  /**
   * Identity of the viewer, passed to the portal and to DAX functions such as USERNAME() (docs/interface.md#4.6
   * `value.userId`). At most 256 characters.
   */
  readonly userId: string;
}

interface WithRoleNames {
  /**
   * RLS role codes of the session: at most 50, each at most 50 characters and without a comma. An empty list is sent as
   * one. Default: the key request leaves them out.
   */
  readonly roleNames: readonly string[];
}

/** Fields that were meant to be `roleNames`: without it, they would drop the row filter. */
const misspellings = [
  'roles',
  'Roles',
  'rolenames',
  'RoleNames',
  'role_names',
  'role-names',
  'roleName',
] as const;

/** The type of such a field is the error's text. */
type WithoutMisspelling = Partial<WithRoleNames> & {
  readonly [Name in (typeof misspellings)[number]]?: 'Write roleNames.';
};

/**
 * The viewer of a report, according to the host's sign-in. A viewer with `roles`, `rolenames` or `role_names` needs
 * `roleNames` too.
 */
export type Viewer = ViewerIdentity & (WithRoleNames | WithoutMisspelling);

/** The return value of `viewer` when nobody is signed in. */
export type Nobody = null | undefined | false | 0 | '';

/**
 * A `canView` that shows every report of the tenant to every signed-in viewer. `canView` has no default, so that this
 * decision is visible in the host's code.
 */
export const allowAll = (): true => true;

/** Who asks, and what they may see. */
export interface ViewerOptions<TRequest, TViewer extends Viewer> {
  /**
   * Returns who sends the request, according to the host's sign-in: a new object for each request. A falsy value means
   * nobody; the response is 401.
   */
  readonly viewer: (request: TRequest) => MaybePromise<TViewer | Nobody>;
  /** Returns whether the viewer may see the report. Unless it is `true`, the response is the same as for a report that does not exist. `allowAll` allows every report. */
  readonly canView: (viewer: TViewer, itemId: number, request: TRequest) => MaybePromise<boolean>;
  /**
   * Whether to reject identities that row-level security rejects, before the call: more than 50 roles, a role above 50
   * characters or with a comma, a user ID with a space. Default true. With false, they are sent unchanged.
   */
  readonly strictRls?: boolean;
}

/** The checked identity of a viewer: a copy, independent of later changes to the host's session object. */
export interface Identity {
  readonly userId: string;
  /** Undefined is not the same as an empty list: the portal gets what the host returned. */
  readonly roleNames: readonly string[] | undefined;
}

/** The result of `viewer`, and its checked copy. */
export interface KnownViewer<TViewer> {
  readonly viewer: TViewer;
  readonly identity: Identity;
}

const maxRoleLength = 50;
const maxUserIdLength = 256;
/** Control characters, and halves of a character, which UTF-8 cannot express. */
const unusable = /[\p{Cc}\p{Cs}]/u;

/** Reads each property once. The copy is not yet checked. */
const copyIdentity = ({ userId, roleNames }: Viewer): Identity => ({
  userId,
  roleNames: Array.isArray(roleNames) ? Object.freeze([...roleNames]) : roleNames,
});

/** Describes what the portal or its BI platform would reject about an identity, if anything. Never quotes it. */
const findFault = ({ userId, roleNames }: Identity, isStrict: boolean): string | undefined => {
  if (typeof userId !== 'string' || userId === '') return 'a userId that is not a non-empty string';
  if (unusable.test(userId)) return 'a userId with control characters or half a character';
  if (userId.length > maxUserIdLength)
    return `a userId of ${userId.length} characters; the BI platform accepts ${maxUserIdLength}`;
  if (isStrict && userId.includes(' ')) return 'a userId with a space, which RLS rejects';
  if (roleNames === undefined) return undefined;
  if (!Array.isArray(roleNames)) return 'roleNames that are not an array';
  for (const role of roleNames) {
    if (typeof role !== 'string' || role === '' || unusable.test(role))
      return 'a role name that is not a plain string';
    if (isStrict && role.length > maxRoleLength)
      return `a role name of ${role.length} characters; RLS accepts ${maxRoleLength}`;
    if (isStrict && role.includes(',')) return 'a role name with a comma, which RLS rejects';
  }
  return isStrict && roleNames.length > maxRlsRoles
    ? `${roleNames.length} role names; RLS accepts ${maxRlsRoles}`
    : undefined;
};

const hostError = (problem: string, hint: string): KeyRequestError =>
  new KeyRequestError({ code: 'internal_error' }, { origin: 'host', problem, hint });

/** Checks what `viewer` returned. Throws if nobody is signed in, or the result is not valid. */
const readViewer = <TViewer extends Viewer>(
  given: TViewer | Nobody,
  isStrict: boolean,
): KnownViewer<TViewer> => {
  if (!given) throw new KeyRequestError({ code: 'signed_out' }, { origin: 'rules' });
  const identity = copyIdentity(given);
  const fault = findFault(identity, isStrict);
  if (fault !== undefined)
    throw hostError(
      `viewer() returned ${fault}`,
      fault.includes('RLS')
        ? 'Row-level security has these limits. If those of your portal differ, set strictRls: false.'
        : 'Return { userId, roleNames } from viewer(): a text, and a list of texts that you may omit.',
    );
  const misspelled = identity.roleNames === undefined && misspellings.find((name) => name in given);
  if (misspelled)
    throw hostError(
      `viewer() returned "${misspelled}" without "roleNames"`,
      'Write "roleNames" for the roles of row-level security. For other roles, also return "roleNames", which may be an empty list, or leave them out.',
    );
  return { viewer: given, identity };
};

/** The key is for the copy, but `canView` receives the object: both must be the same viewer. */
export const checkUnchanged = ({ viewer, identity }: KnownViewer<Viewer>): void => {
  const { userId, roleNames } = copyIdentity(viewer);
  const isSame =
    userId === identity.userId &&
    roleNames?.length === identity.roleNames?.length &&
    (roleNames ?? []).every((role, index) => role === identity.roleNames?.[index]);
  if (!isSame)
    throw hostError(
      'The object that viewer() returned changed while the request was waiting.',
      'Return an object from viewer() that other requests do not change, such as a copy of the session.',
    );
};

/** The callbacks `viewer` and `canView` of a mount. */
export const createViewers = <TRequest, TViewer extends Viewer>({
  viewer,
  canView,
  strictRls,
  logger,
}: Required<ViewerOptions<TRequest, TViewer>> & { readonly logger: Logger }) => {
  const checkAwaited = createAwaitedCheck(
    'The object that it returned has stood for another viewer. Return a new object for each request, such as { userId, roleNames }.',
  );
  let isWarned = false;
  return {
    find: (request: TRequest): Promise<KnownViewer<TViewer>> =>
      callHost(
        'viewer',
        () => viewer(request),
        (found, wasAwaited) => {
          const known = readViewer(found, strictRls);
          checkAwaited(known.viewer, known.identity.userId, wasAwaited);
          return known;
        },
      ),
    /** Only `true` opens a report: a host in plain JavaScript may return anything. */
    mayView: async (known: KnownViewer<TViewer>, itemId: number, request: TRequest): Promise<boolean> => {
      checkUnchanged(known);
      const given: unknown = await callHost(
        'canView',
        () => canView(known.viewer, itemId, request),
        (allowed) => allowed,
      );
      checkUnchanged(known);
      // Without a warning, a `canView` that returns nothing, or a found object, would silently deny every report.
      if (typeof given !== 'boolean' && !isWarned) {
        isWarned = true;
        logger.warn(
          warningFields('can_view_not_boolean'),
          `canView() returned ${given === null ? 'null' : typeof given}; expected true or false. Only true opens a report.`,
        );
      }
      return given === true;
    },
  };
};

/** The viewer with its checked properties, for a stream: the originals may change while it is open. */
export const withChecked = <TViewer extends Viewer>({ viewer, identity }: KnownViewer<TViewer>): TViewer => {
  const { userId, roleNames } = identity;
  const checked = { userId, ...(roleNames && { roleNames }) };
  return Object.freeze(Object.create(viewer, Object.getOwnPropertyDescriptors(checked)));
};
