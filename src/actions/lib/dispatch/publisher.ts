import { isItemId } from '@vitrine/contract';
import type { MaybePromise } from '@vitrine/server';
import type { ActionEvent } from '../actionEvent.ts';
import { askWithin } from '../askWithin.ts';
import type { OnDiagnostic } from '../diagnostics.ts';
import type { ActionReply, PublishedAction } from '../inbox/actionInbox.ts';

/** Who gets an action: user IDs as the host's `viewer` callback gives them. Anything falsy means nobody. */
export type AudienceFunction = (
  event: ActionEvent,
) => MaybePromise<readonly string[] | string | null | undefined | false>;

/** Finds the number of an item by the ID that a webhook gives; `undefined` when there is no such item. */
export type ItemIdOf = (reportId: string) => MaybePromise<number | undefined>;

/** What {@link createPublisher} asks. */
export interface PublisherOptions {
  readonly audience: AudienceFunction;
  readonly itemIdOf: ItemIdOf;
  /** How long one question may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly onDiagnostic: OnDiagnostic;
}

/** Finds out who gets an action, and in which report. */
export interface Publisher {
  /** The number of the report. Rejects when that cannot be found out. */
  itemIdOf(event: ActionEvent): Promise<number | undefined>;
  /** What the streams are told; `undefined` when nobody gets it. Whatever fails on the way means nobody. */
  publish(event: ActionEvent, reply: ActionReply | undefined): Promise<PublishedAction | undefined>;
}

const maxReported = 1000;

/** A host in plain JavaScript may return anything; what names nobody by mistake has to be reported. */
const usersOf = (audience: unknown): readonly string[] => {
  const named: readonly unknown[] = Array.isArray(audience)
    ? audience.filter(Boolean)
    : [audience || []].flat();
  if (named.every((user) => typeof user === 'string')) return [...new Set(named)];
  throw new TypeError(
    'audience() returned something other than user IDs; expected a string or an array of strings',
  );
};

const checkItemId = (given: unknown): number | undefined => {
  if (given === undefined || given === null || isItemId(given)) return given ?? undefined;
  throw new TypeError('itemIdOf() returned something other than the number of an item or undefined');
};

/** Creates the publisher. Each event is asked about once, when it is settled; the answer is stored with it. */
export const createPublisher = ({
  audience,
  itemIdOf,
  timeoutMs,
  onDiagnostic,
}: PublisherOptions): Publisher => {
  const reported = new Set<string>();
  const findItem = async ({ reportId }: ActionEvent): Promise<number | undefined> =>
    /^[1-9]\d{0,14}$/.test(reportId)
      ? Number(reportId)
      : checkItemId(await askWithin(timeoutMs, 'The look-up of the item', () => itemIdOf(reportId)));

  return {
    itemIdOf: findItem,
    async publish(event, reply) {
      try {
        const users = usersOf(await askWithin(timeoutMs, 'audience()', () => audience(event)));
        if (users.length === 0) return undefined;
        const itemId = await findItem(event);
        if (itemId !== undefined) return { audience: users, itemId, ...(reply && { reply }) };
        if (reported.size >= maxReported) reported.clear();
        if (!reported.has(event.reportId))
          onDiagnostic({ kind: 'item-unknown', deliveryId: event.id, reportId: event.reportId });
        reported.add(event.reportId);
      } catch (error) {
        onDiagnostic({ kind: 'audience-failed', deliveryId: event.id, error });
      }
      return undefined;
    },
  };
};
