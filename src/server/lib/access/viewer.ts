/** The viewer of a report, according to the host's sign-in. */
export interface Viewer {
  /**
   * Identity of the viewer, passed to the portal and to DAX functions such as USERNAME() (docs/interface.md#4.6
   * `value.userId`). At most 256 characters.
   */
  readonly userId: string;
  /** RLS role codes of the session: at most 50, each at most 50 characters and without a comma. */
  readonly roleNames?: readonly string[];
  /** The key for rate limiting. Default: the `userId`. */
  readonly limiterKey?: string;
}

/** The return value of `viewer` when nobody is signed in. */
export type Nobody = null | undefined | false | 0 | '';

/** A value or a promise. */
export type MaybePromise<T> = T | PromiseLike<T>;
