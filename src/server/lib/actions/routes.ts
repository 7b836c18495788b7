import { isItemId } from '@vitrine/contract';
import { fail } from '../options.ts';
import type { ActionReply } from './inbox.ts';
import { type ActionEvent, guidOf } from './parse.ts';

/** The second argument of a handler. */
export interface ActionContext {
  /** ID of the delivery: the same in every attempt, so it works as an idempotency key. */
  readonly eventId: string;
  /** 1 in the first attempt. */
  readonly attempt: number;
  /** Aborts when the handler's time limit is reached or the host stops. */
  readonly signal: AbortSignal;
}

/**
 * Handles an event. Its result is delivered to the viewers with the action; an error causes another attempt. It runs at
 * least once per event: pass {@link ActionContext.eventId} as an idempotency key to effects that must happen only once.
 */
export type ActionHandler = (
  event: ActionEvent,
  context: ActionContext,
) => ActionReply | undefined | void | Promise<ActionReply | undefined | void>;

/**
 * Handlers of actions: one function, or a record whose keys are an item's ID or GUID, `<item>/<visual>`, or `*` for the rest;
 * the most specific key wins. Display names are not supported, because they change.
 */
export type ActionHandlers = ActionHandler | Readonly<Record<string, ActionHandler>>;

/** A handler and its events; an absent condition matches everything. */
export interface ActionRoute {
  readonly item?: string | undefined;
  readonly visual?: string | undefined;
  readonly handler: ActionHandler;
}

const isGuid = (item: string): boolean => guidOf(item) !== undefined;

/** The key `<item>/<visual>` as a route. A display name, which would match nothing, is an error. */
const toRoute = ([key, handler]: readonly [string, ActionHandler]): ActionRoute => {
  const [, item = '', visual] = /^([^/]*)(?:\/(.*))?$/s.exec(key) ?? [];
  if (item !== '*' && !isGuid(item) && !isItemId(Number(item)))
    fail(
      `The key ${JSON.stringify(key).slice(0, 60)} of an action handler is neither an item ID nor a GUID. Write 1042, "1042/visual-id", a GUID, or "*" for the rest; display names are not supported, because they change.`,
    );
  if (typeof handler !== 'function') fail('A handler in the option `on` is not a function.');
  return { item: item === '*' ? undefined : item, visual, handler };
};

const weight = ({ item, visual }: ActionRoute): number =>
  (visual === undefined ? 0 : 1) + (item === undefined ? 0 : 2);

/** Converts every form of handlers to one list, the most specific first. */
export const toRoutes = (handlers: ActionHandlers): readonly ActionRoute[] =>
  typeof handlers === 'function'
    ? [{ handler: handlers }]
    : Object.entries(handlers)
        .map(toRoute)
        .sort((a, b) => weight(b) - weight(a));

/** Whether a route identifies an item by number, which needs a lookup in the portal. */
export const needsItemId = (routes: readonly ActionRoute[]): boolean =>
  routes.some(({ item }) => item !== undefined && !isGuid(item));

/** Finds the first route that matches an event, whose item has this number. */
export const findRoute = (
  routes: readonly ActionRoute[],
  { visual: clicked, reportId }: ActionEvent,
  itemId: number | undefined,
): ActionRoute | undefined =>
  routes.find(
    ({ item, visual }) =>
      (visual === undefined || visual === clicked) &&
      (item === undefined || guidOf(item) === reportId || Number(item) === itemId),
  );
