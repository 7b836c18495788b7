interface ViewerIdentity {
  /**
   * Identity of the viewer, passed to the portal and to DAX functions such as USERNAME() (docs/interface.md#4.6
   * `value.userId`). At most 256 characters.
   */
  readonly userId: string;
  /** The key for rate limiting. Default: the `userId`. */
  readonly limiterKey?: string;
}

interface WithRoleNames {
  /**
   * RLS role codes of the session: at most 50, each at most 50 characters and without a comma. An empty list is sent as
   * one. Default: the key request leaves them out.
   */
  readonly roleNames: readonly string[];
}

/** Without `roleNames`, a field that was meant to be it would drop the row filter. The type is the error's text. */
type WithoutMisspelling = Partial<WithRoleNames> & {
  readonly [Name in
    | 'roles'
    | 'Roles'
    | 'rolenames'
    | 'RoleNames'
    | 'role_names'
    | 'roleName']?: 'Write roleNames.';
};

/**
 * The viewer of a report, according to the host's sign-in. A viewer with `roles`, `rolenames` or `role_names` needs
 * `roleNames` too.
 */
export type Viewer = ViewerIdentity & (WithRoleNames | WithoutMisspelling);

/** The return value of `viewer` when nobody is signed in. */
export type Nobody = null | undefined | false | 0 | '';

/** A value or a promise. */
export type MaybePromise<T> = T | PromiseLike<T>;
