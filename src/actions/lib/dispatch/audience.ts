import type { MaybePromise } from '@vitrine/server';
import type { ActionEvent } from '../actionEvent.ts';

/** Who gets an action: user IDs as the host's `viewer` callback gives them. Anything falsy means nobody. */
export type AudienceFunction = (
  event: ActionEvent,
) => MaybePromise<readonly string[] | string | null | undefined | false>;

/**
 * Who gets an action. `clicker`: the person who clicked, whose e-mail address the portal knows by `currentUser`; it must be the
 * `userId` that your `viewer` returns. A function names other user IDs, who may then see rows that row-level security would keep
 * from them. `nobody`: handlers alone.
 */
export type Audience = 'clicker' | 'nobody' | AudienceFunction;
