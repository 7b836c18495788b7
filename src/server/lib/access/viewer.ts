/** Who looks at a report, as the host's own sign-in knows it. */
export interface Viewer {
  /**
   * Identity of the viewer, handed to the portal and there to DAX functions such as USERNAME() (docs/interface.md#4.6
   * `value.userId`). At most 256 characters.
   */
  readonly userId: string;
  /** RLS role codes of the session: at most 50, each at most 50 characters and without a comma. */
  readonly roleNames?: readonly string[];
  /** What the rate limit counts by. Default: the `userId`. */
  readonly limiterKey?: string;
}

/** What a host's `viewer` callback gives when nobody is signed in. */
export type Nobody = null | undefined | false | 0 | '';

/** A value, or a promise of it. */
export type MaybePromise<T> = T | PromiseLike<T>;
