import { isItemId, type ReportAction } from '@vitrine/contract';
import type { MaybePromise } from '@vitrine/server';
import type { ActionEvent } from '../actionEvent.ts';
import type { Publication } from '../inbox/actionInbox.ts';
import type { ReportNews } from '../news.ts';
import { parseAction } from '../parse/parseAction.ts';
import { askWithin } from './askWithin.ts';

/** Who gets an action: user IDs as the host's `viewer` callback gives them. Anything falsy means nobody. */
export type Audience = (
  event: ActionEvent,
) => MaybePromise<readonly string[] | string | null | undefined | false>;

/** Finds the number of an item by the ID that a webhook gives; `undefined` when it is unknown. */
export type ItemIdOf = (reportId: string) => MaybePromise<number | undefined>;

/** A publication ready to be sent: who gets it and its text. */
export interface PreparedPublication {
  readonly cursor: number;
  readonly audience: ReadonlySet<string>;
  readonly itemId: number | undefined;
  readonly action: ReportAction | undefined;
}

/** A host in plain JavaScript may give anything; what names nobody by mistake has to be heard of. */
const usersOf = (audience: unknown): ReadonlySet<string> => {
  const named: readonly unknown[] = Array.isArray(audience)
    ? audience.filter(Boolean)
    : [audience || []].flat();
  if (named.every((user) => typeof user === 'string')) return new Set(named);
  throw new TypeError('audience() gave something other than user IDs: a text, or an array of texts');
};

const itemIdFrom = (given: unknown): number | undefined => {
  if (given === undefined || given === null || isItemId(given)) return given ?? undefined;
  // Taken for unknown, it would pass canView over.
  throw new TypeError('itemIdOf() gave something other than the number of an item, or undefined');
};

const nobody: ReadonlySet<string> = new Set();

/** What {@link preparePublication} asks of the host. */
export interface PublicationQuestions {
  readonly audience: Audience;
  readonly itemIdOf: ItemIdOf;
  /** How long the two may take together, in milliseconds. */
  readonly timeoutMs: number;
  readonly report: ReportNews;
  /** Actions received before this are no longer anybody's present business. */
  readonly receivedSinceMs: number;
}

/** Asks the host who gets a publication. Whatever fails on the way means nobody. */
export const preparePublication = async (
  { cursor, delivery, reply }: Publication,
  { audience, itemIdOf, timeoutMs, report, receivedSinceMs }: PublicationQuestions,
): Promise<PreparedPublication> => {
  const none = { cursor, audience: nobody, itemId: undefined, action: undefined };
  if (delivery.receivedAtMs < receivedSinceMs) return none;
  const parsed = parseAction(delivery);
  if (!parsed.isOk) return none;
  const { event } = parsed;
  try {
    const { users, itemId } = await askWithin(timeoutMs, 'who may see it', async () => {
      const named = usersOf(await audience(event));
      return {
        users: named,
        itemId: named.size === 0 ? undefined : itemIdFrom(await itemIdOf(event.reportId)),
      };
    });
    if (users.size === 0) return none;
    const action: ReportAction = {
      id: event.id,
      ...(itemId !== undefined && { itemId }),
      reportId: event.reportId,
      reportName: event.reportName,
      visual: event.visual,
      triggeredAt: event.triggeredAt,
      isClear: event.isClear,
      rows: event.rows,
      ...(reply?.result !== undefined && { result: reply.result }),
      ...(reply?.refresh === true && { refresh: true }),
      ...(typeof reply?.message === 'string' && { message: reply.message }),
    };
    return { cursor, audience: users, itemId: action.itemId, action };
  } catch (error) {
    report({ kind: 'audience-failed', deliveryId: delivery.id, error });
    return none;
  }
};
