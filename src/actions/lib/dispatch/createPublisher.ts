import { isItemId } from '@vitrine/contract';
import type { MaybePromise } from '@vitrine/server';
import type { ActionEvent } from '../actionEvent.ts';
import type { ActionsContext } from '../actionsContext.ts';
import { noClicker } from '../diagnostics.ts';
import type { ActionReply, PublishedAction } from '../inbox/actionInbox.ts';
import { withTimeout } from '../withTimeout.ts';

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

/** Finds the number of an item by the ID in a webhook; `undefined` if there is no such item. */
export type ItemIdOf = (reportId: string) => MaybePromise<number | undefined>;

/** Lookups of {@link createPublisher}. */
export interface PublisherOptions {
  readonly audience: Audience;
  readonly itemIdOf: ItemIdOf | undefined;
  /** Looks up the email address of the clicker. */
  readonly emailOf: ((userId: string) => Promise<string | undefined>) | undefined;
  /** Time limit of one lookup, in milliseconds. */
  readonly timeoutMs: number;
}

/** The publication, or the reason why it failed; empty if nobody may see the action. */
type Published = { readonly publish?: PublishedAction; readonly error?: string };

/** The host's function returned an invalid value; a retry would not help. */
class InvalidResult extends Error {
  override readonly name = 'InvalidResult';
}

/** Plain JavaScript may return anything; report a value that would silently mean nobody. */
const usersOf = (audience: unknown): readonly string[] => {
  const named: readonly unknown[] = (Array.isArray(audience) ? audience : [audience]).filter(Boolean);
  if (named.every((user) => typeof user === 'string')) return [...new Set(named)];
  throw new InvalidResult(
    'audience() returned something other than user IDs; expected a string or an array of strings',
  );
};

/** Finds the audience and the report of an action. Each event is looked up once, when it is settled. */
export const createPublisher = (
  { onDiagnostic }: ActionsContext,
  { audience, itemIdOf, emailOf, timeoutMs }: PublisherOptions,
) => {
  const limit = { what: 'The lookup of the audience', timeoutMs };
  const findUsers = async (event: ActionEvent): Promise<readonly string[] | undefined> => {
    if (audience === 'nobody') return [];
    if (audience !== 'clicker') return usersOf(await withTimeout(limit, () => audience(event)));
    const { currentUser } = event;
    const ask = () => (currentUser === null ? undefined : emailOf?.(String(currentUser)));
    const email = await withTimeout(limit, ask);
    return email === undefined ? undefined : [email];
  };
  const findItem = async ({ reportId }: ActionEvent): Promise<number | undefined> => {
    if (/^[1-9]\d{0,14}$/.test(reportId)) return Number(reportId);
    const found: unknown = await withTimeout({ what: 'The lookup of the item', timeoutMs }, () =>
      itemIdOf?.(reportId),
    );
    if (found === undefined || found === null || isItemId(found)) return found ?? undefined;
    throw new InvalidResult('itemIdOf() returned something other than an item ID (a number) or undefined');
  };
  return {
    /** The number of the report. Rejects if the lookup fails. */
    itemIdOf: findItem,
    /** Rejects if a lookup fails. */
    async publish(event: ActionEvent, reply: ActionReply | undefined): Promise<Published> {
      const { id: deliveryId, reportId, currentUser } = event;
      try {
        const users = await findUsers(event);
        if (users === undefined) {
          onDiagnostic({ kind: 'clicker-unknown', deliveryId, currentUser });
          return { error: `${noClicker(currentUser)}.` };
        }
        if (users.length === 0) return {};
        const itemId = await findItem(event);
        if (itemId !== undefined) return { publish: { audience: users, itemId, ...(reply && { reply }) } };
        onDiagnostic({ kind: 'item-unknown', deliveryId, reportId });
        return { error: 'The portal has no item with this ID, so the action was not delivered.' };
      } catch (error) {
        if (!(error instanceof InvalidResult)) throw error;
        onDiagnostic({ kind: 'audience-failed', deliveryId, error });
        return { error: error.message };
      }
    },
  };
};
