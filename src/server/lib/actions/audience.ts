import { isItemId } from '@vitrine/contract';
import {
  createPortalClient,
  isPortalError,
  type PortalConnectionInput,
  type PortalError,
} from '@vitrine/portal-client';
import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../hostCalls.ts';
import type { ActionsContext } from './context.ts';
import { sentence } from './diagnostics.ts';
import type { ActionReply, PublishedAction } from './inbox.ts';
import type { ActionEvent } from './parse.ts';
import { timing } from './timing.ts';
import { withTimeout } from './withTimeout.ts';

/** Who gets an action: user IDs as returned by the host's `viewer`. A falsy value means nobody. */
export type AudienceFunction = (
  event: ActionEvent,
) => MaybePromise<readonly string[] | string | null | undefined | false>;

/**
 * Who gets an action. `clicker`: the person who clicked; the portal looks up their email address by `currentUser`, and it
 * must equal the `userId` that your `viewer` returns, in any case. A function returns other user IDs, who may then see rows
 * that row-level security hides from them. `nobody`: only handlers.
 */
export type Audience = 'clicker' | 'nobody' | AudienceFunction;

/** Finds the number of an item by the ID in a webhook; `undefined` if there is no such item. */
export type ItemIdOf = (reportId: string) => MaybePromise<number | undefined>;

/** Caches what the portal has found, but no failures. Concurrent callers share one request. */
const cached = <TValue extends string | number>(
  ask: (key: string) => Promise<TValue>,
  isMissing: (error: PortalError) => boolean,
) => {
  const answers = new LRUCache<string, TValue>({
    max: 10_000,
    ttl: 10 * 60_000,
    fetchMethod: (key) =>
      ask(key).catch((error: unknown): undefined => {
        if (!isPortalError(error) || !isMissing(error)) throw error;
      }),
  });
  return (key: string) => answers.fetch(key);
};

/** Creates the lookups in the host's portal. */
const createLookups = (portal: PortalConnectionInput) => {
  const keys = [portal.apiKey].flat();
  let current = 0;
  const client = createPortalClient({
    baseUrl: portal.baseUrl ?? portal.apiBaseUrl,
    apiKey: () => keys[current % keys.length] ?? '',
  });
  /** During a rotation, the portal may know either key. */
  const ask = async <TValue>(question: () => Promise<TValue>, left = keys.length): Promise<TValue> => {
    try {
      return await question();
    } catch (error) {
      if (!isPortalError(error) || error.kind !== 'unauthorized' || left <= 1) throw error;
      current += 1;
      return ask(question, left - 1);
    }
  };
  return {
    emailOf: cached(
      async (userId) => {
        const { id, email } = await ask(() => client.users.get(userId));
        if (String(id).toLowerCase() === userId.toLowerCase()) return email;
        throw new Error(
          `The portal returned user ${id} instead of user ${userId}, so the action is not delivered. Ask the portal's operator.`,
        );
      },
      ({ kind }) => kind === 'not_found',
    ),
    // If the list of items itself is not found, the portal is not set up, or a proxy responds instead.
    itemIdOf: cached(
      async (reportId) => {
        const { id } = await ask(() => client.items.find(reportId));
        if (id !== undefined) return id;
        throw new Error(`The portal shows no number of the report ${reportId}, so set the option itemIdOf.`);
      },
      ({ code }) => code === 'item_not_found',
    ),
    close: () => client.close(),
  };
};

/** The publication, or the reason why there is none; empty if nobody may see the action. */
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

/** Options of {@link createPublisher}. */
export interface PublisherOptions {
  readonly audience: Audience;
  readonly itemIdOf?: ItemIdOf | undefined;
  readonly portal?: PortalConnectionInput | undefined;
}

/** Finds the audience and the report of an action. Each event is looked up once, when it is settled. */
export const createPublisher = ({ report }: ActionsContext, options: PublisherOptions) => {
  const { audience, portal } = options;
  const lookups = portal && createLookups(portal);
  const itemIdOf: ItemIdOf | undefined = options.itemIdOf ?? lookups?.itemIdOf;
  const ask = <TValue>(what: string, question: () => MaybePromise<TValue>) =>
    withTimeout({ what, timeoutMs: timing.lookupMs }, question);
  /** Undefined if the clicker is not known. */
  const findUsers = async (event: ActionEvent): Promise<readonly string[] | undefined> => {
    if (audience === 'nobody') return [];
    if (audience !== 'clicker') {
      const users = await ask('The lookup of the audience', () => audience(event));
      if (users === undefined)
        report(
          {
            kind: 'not-shown',
            deliveryId: event.id,
            message: `audience() returned undefined, so nobody sees the action (first: action ${event.id}). Return the user IDs, or [] for nobody.`,
          },
          'audience',
        );
      return usersOf(users);
    }
    const { currentUser } = event;
    if (currentUser === null) return undefined;
    const email = await ask('The lookup of the audience', () => lookups?.emailOf(String(currentUser)));
    return email === undefined ? undefined : [email.toLowerCase()];
  };
  /** The number of the report. Rejects if the lookup fails. */
  const findItem = async ({ reportId }: ActionEvent): Promise<number | undefined> => {
    if (/^[1-9]\d{0,14}$/.test(reportId)) return Number(reportId);
    const found: unknown = await ask('The lookup of the item', () => itemIdOf?.(reportId));
    if (found === undefined || found === null || isItemId(found)) return found ?? undefined;
    throw new InvalidResult('itemIdOf() returned something other than an item ID (a number) or undefined');
  };
  /** Why the action of a person whom the portal does not know is not delivered. */
  const unknownClicker = ({ currentUser }: ActionEvent): string =>
    currentUser === null
      ? 'The webhook does not say who clicked, so its action is not delivered.'
      : `The portal has no user ${JSON.stringify(currentUser).slice(0, 60)}, so their actions are not delivered.`;

  const find = async (event: ActionEvent, reply: ActionReply | undefined): Promise<Published> => {
    const { id: deliveryId, reportId, currentUser } = event;
    const users = await findUsers(event);
    if (users === undefined) {
      const error = unknownClicker(event);
      const message = `${error} First: action ${deliveryId}. The audience "clicker" requires viewers to be users of the portal; for others, use a function.`;
      report({ kind: 'not-shown', deliveryId, message }, `clicker ${currentUser}`);
      return { error };
    }
    if (users.length === 0) return {};
    const itemId = await findItem(event);
    if (itemId === undefined) {
      const error = `The portal has no item ${reportId}, so canView cannot decide and its actions are not delivered`;
      const message = `${error} (first: action ${deliveryId}).`;
      report({ kind: 'not-shown', deliveryId, message }, `item ${reportId}`);
      return { error: `${error}.` };
    }
    const isAnyCase = audience === 'clicker' ? true : undefined;
    return { publish: { audience: users, itemId, isAnyCase, reply } };
  };

  return {
    itemIdOf: findItem,
    /** Rejects if a lookup fails. */
    async publish(event: ActionEvent, reply: ActionReply | undefined): Promise<Published> {
      const { id: deliveryId } = event;
      try {
        return await find(event, reply);
      } catch (error) {
        if (!(error instanceof InvalidResult)) throw error;
        const message = `Action ${deliveryId} is not delivered: ${sentence(error.message)}`;
        report({ kind: 'not-shown', deliveryId, message }, `action ${deliveryId}`);
        return { error: error.message };
      }
    },
    close: async (): Promise<void> => lookups?.close(),
  };
};
