import type { MaybePromise } from '@vitrine/server';
import type { ActionEvent } from '../actionEvent.ts';

/** Who gets an action: user IDs as returned by the host's `viewer`. A falsy value means nobody. */
export type AudienceFunction = (
  event: ActionEvent,
) => MaybePromise<readonly string[] | string | null | undefined | false>;

/**
 * Who gets an action. `clicker`: the person who clicked; the portal looks up their email address by `currentUser`, and it
 * must equal the `userId` that your `viewer` returns. A function returns other user IDs, who may then see rows that
 * row-level security hides from them. `nobody`: only handlers.
 */
export type Audience = 'clicker' | 'nobody' | AudienceFunction;
