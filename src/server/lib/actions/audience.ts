import { isItemId } from '@vitrine/contract';
import {
  createPortalClient,
  isPortalError,
  type PortalConnectionInput,
  type PortalError,
} from '@vitrine/portal-client';
import { LRUCache } from 'lru-cache';
import { inTime, type MaybePromise } from '../hostCalls.ts';
import type { ActionsContext } from './context.ts';
import type { ActionReply, PublishedAction } from './inbox.ts';
import type { ActionsOptions } from './options.ts';
import type { ActionEvent } from './parse.ts';

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
  /** During a rotation, the portal may know either key: after one is rejected, the retry uses the next. */
  const ask = async <TValue>(question: () => Promise<TValue>): Promise<TValue> => {
    const used = current;
    try {
      return await question();
    } catch (error) {
      if (isPortalError(error) && error.kind === 'unauthorized') current = used + 1;
      throw error;
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

/** Plain JavaScript may return anything; a value that would silently mean nobody is an error. */
const usersOf = (audience: unknown): readonly string[] => {
  const named: readonly unknown[] = [audience || []].flat();
  if (named.every((user) => typeof user === 'string')) return [...new Set(named)];
  throw new Error('audience() returned something other than user IDs: a string or an array of strings');
};

/** Finds the audience and the report of an action. Each event is looked up once, when it is settled. */
export const createPublisher = (
  { report, timing }: ActionsContext,
  { audience, portal, ...options }: Pick<ActionsOptions, 'audience' | 'itemIdOf' | 'portal'>,
) => {
  const lookups = portal && createLookups(portal);
  const findItemId = options.itemIdOf ?? lookups?.itemIdOf;
  const ask = <TValue>(what: string, question: () => MaybePromise<TValue>) =>
    inTime((async () => question())(), what, timing.lookupMs);
  const notShown = ({ id: deliveryId }: ActionEvent, about: string, error: string, advice = '') => {
    report(
      { kind: 'not-shown', deliveryId, message: `${error} First: action ${deliveryId}.${advice}` },
      about,
    );
    return { error };
  };
  /** Undefined if the clicker is not known. */
  const findUsers = async (event: ActionEvent): Promise<readonly string[] | undefined> => {
    if (audience === 'nobody') return [];
    if (audience !== 'clicker') {
      const users = await ask('The lookup of the audience', () => audience(event));
      if (users === undefined)
        notShown(event, 'audience', 'audience() returned undefined for nobody: return [] if you mean that.');
      return usersOf(users);
    }
    const { currentUser } = event;
    if (currentUser === null) return undefined;
    const email = await ask('The lookup of the audience', () => lookups?.emailOf(String(currentUser)));
    return email === undefined ? undefined : [email.toLowerCase()];
  };
  /** The number of the report. Rejects if the lookup fails. */
  const itemIdOf = async ({ reportId }: ActionEvent): Promise<number | undefined> => {
    if (/^[1-9]\d{0,14}$/.test(reportId)) return Number(reportId);
    const found: unknown = await ask('The lookup of the item', () => findItemId?.(reportId));
    if (found === undefined || found === null || isItemId(found)) return found ?? undefined;
    throw new Error('itemIdOf() returned something other than an item ID (a number) or undefined');
  };

  return {
    itemIdOf,
    /** Rejects if a lookup fails. */
    async publish(event: ActionEvent, reply: ActionReply | undefined): Promise<Published> {
      const { reportId, currentUser } = event;
      const users = await findUsers(event);
      if (users === undefined)
        return notShown(
          event,
          `clicker ${currentUser}`,
          currentUser === null
            ? 'The webhook does not say who clicked, so its action is not delivered.'
            : `The portal has no user ${JSON.stringify(currentUser).slice(0, 60)}, so their actions are not delivered.`,
          ' The audience "clicker" requires viewers to be users of the portal; for others, use a function.',
        );
      if (users.length === 0) return {};
      const itemId = await itemIdOf(event);
      if (itemId === undefined)
        return notShown(
          event,
          `item ${reportId}`,
          `The portal has no item ${reportId}, so canView cannot decide and its actions are not delivered.`,
        );
      const isAnyCase = audience === 'clicker' ? true : undefined;
      return { publish: { audience: users, itemId, isAnyCase, reply } };
    },
    close: async (): Promise<void> => lookups?.close(),
  };
};
