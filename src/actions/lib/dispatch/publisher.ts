import { isItemId } from '@vitrine/contract';
import type { MaybePromise } from '@vitrine/server';
import type { ActionEvent } from '../actionEvent.ts';
import { askWithin } from '../askWithin.ts';
import type { Diagnostic, OnDiagnostic } from '../diagnostics.ts';
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
  /** What the streams are told, or why nobody gets it, or nothing where nobody shall. Rejects when that cannot be found out. */
  publish(event: ActionEvent, reply: ActionReply | undefined): Promise<Published>;
}

/** What {@link Publisher.publish} found out. */
export interface Published {
  readonly publish?: PublishedAction;
  readonly error?: string;
}

/** The portal knows nobody by the number of the person who clicked. */
export class UnknownClicker extends Error {
  override readonly name = 'UnknownClicker';
}

/** The host's function gave something that cannot be used; asked again, it would do so again. */
class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

const maxReported = 1000;

/** A host in plain JavaScript may return anything; what names nobody by mistake has to be reported. */
const usersOf = (audience: unknown): readonly string[] => {
  const named: readonly unknown[] = Array.isArray(audience)
    ? audience.filter(Boolean)
    : [audience || []].flat();
  if (named.every((user) => typeof user === 'string')) return [...new Set(named)];
  throw new WrongAnswer(
    'audience() returned something other than user IDs; expected a string or an array of strings',
  );
};

const checkItemId = (given: unknown): number | undefined => {
  if (given === undefined || given === null || isItemId(given)) return given ?? undefined;
  throw new WrongAnswer('itemIdOf() returned something other than the number of an item or undefined');
};

/** Creates the publisher. Each event is asked about once, when it is settled; the answer is stored with it. */
export const createPublisher = ({
  audience,
  itemIdOf,
  timeoutMs,
  onDiagnostic,
}: PublisherOptions): Publisher => {
  const reported = new Set<string>();
  const reportOnce = (diagnostic: Diagnostic, about: string): void => {
    if (reported.size >= maxReported) reported.clear();
    if (!reported.has(about)) onDiagnostic(diagnostic);
    reported.add(about);
  };
  const findItem = async ({ reportId }: ActionEvent): Promise<number | undefined> =>
    /^[1-9]\d{0,14}$/.test(reportId)
      ? Number(reportId)
      : checkItemId(await askWithin(timeoutMs, 'The look-up of the item', () => itemIdOf(reportId)));

  return {
    itemIdOf: findItem,
    async publish(event, reply) {
      const { id: deliveryId, reportId, currentUser } = event;
      try {
        const users = usersOf(await askWithin(timeoutMs, 'audience()', () => audience(event)));
        if (users.length === 0) return {};
        const itemId = await findItem(event);
        if (itemId !== undefined) return { publish: { audience: users, itemId, ...(reply && { reply }) } };
        reportOnce({ kind: 'item-unknown', deliveryId, reportId }, `item ${reportId}`);
        return { error: 'The portal knows no item of this ID, so nobody was shown the action.' };
      } catch (error) {
        if (error instanceof UnknownClicker)
          reportOnce({ kind: 'clicker-unknown', deliveryId, currentUser }, `user ${currentUser}`);
        else if (error instanceof WrongAnswer) onDiagnostic({ kind: 'audience-failed', deliveryId, error });
        else throw error;
        return { error: error.message };
      }
    },
  };
};
