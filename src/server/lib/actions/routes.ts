import type { StandardSchemaV1 } from '@standard-schema/spec';
import { type FlatActionRow, isItemId } from '@vitrine/contract';
import { kindOf } from '@vitrine/contract/service';
import { checkOptions, fail } from '../options.ts';
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
export type ActionHandler<TFlatRow = FlatActionRow> = (
  event: ActionEvent<TFlatRow>,
  context: ActionContext,
) => ActionReply | undefined | void | Promise<ActionReply | undefined | void>;

/** Which events a handler handles; an omitted field matches everything. */
export interface ActionMatch<TSchema extends StandardSchemaV1 = StandardSchemaV1> {
  /** Item ID or GUID of the report. Display names are not supported, because they change. */
  readonly item?: number | string;
  /** Internal visual ID of the BI platform. */
  readonly visual?: string;
  /** A Standard Schema (zod, valibot, arktype …) for one flat row. An event with an invalid row is parked. */
  readonly schema?: TSchema;
}

/** A handler and its events; the result of {@link on}. */
export interface ActionRoute {
  readonly match: ActionMatch;
  readonly handler: ActionHandler;
}

/**
 * Handlers of actions: one function, a record, or a list of {@link on}. The keys of a record are an item's ID or GUID,
 * `<item>/<visual>`, or `*` for the rest.
 */
export type ActionHandlers = ActionHandler | Readonly<Record<string, ActionHandler>> | readonly ActionRoute[];

const isGuid = (item: unknown): boolean => guidOf(String(item)) !== undefined;
const isItem = (item: unknown): boolean =>
  isItemId(item) || (typeof item === 'string' && (isGuid(item) || isItemId(Number(item))));

const refuse = (message: string): never => fail('invalid_action_handler', message);

/** Rejects misspelled conditions, which would match everything, and display names, which would match nothing. */
const checkRoute = ({ match, handler }: ActionRoute): void => {
  checkOptions('on() of the actions', match, { item: true, visual: true, schema: true });
  const { item, visual, schema } = match;
  if (item !== undefined && !isItem(item))
    refuse(
      `The key ${JSON.stringify(item)?.slice(0, 60)} of an action handler is neither an item ID nor a GUID. Write 1042, "1042/visual-id", a GUID, or "*" for the rest; display names are not supported, because they change.`,
    );
  if (visual !== undefined && typeof visual !== 'string')
    refuse(`"visual" of on() must be a string; it is ${kindOf(visual)}.`);
  if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function')
    refuse('"schema" of on() must be a Standard Schema, for example from zod or valibot.');
  if (typeof handler !== 'function') refuse('A handler in the option `on` is not a function.');
};

/**
 * Binds a handler to events: `on({ item: 1042, schema }, (event) => …)`. `flatRows` are typed by the schema.
 *
 * @throws VitrineOptionsError `unknown_option`, `invalid_action_handler`.
 *
 * @example
 * ```ts
 * import { on } from '@vitrine/server/actions';
 * import { z } from 'zod';
 *
 * const schema = z.object({ 'Sales[Region]': z.string() });
 * export const route = on({ item: 1042, schema }, ({ flatRows }) => ({
 *   message: flatRows.map((row) => row['Sales[Region]']).join(', '),
 * }));
 * ```
 */
export const on = <TSchema extends StandardSchemaV1 = StandardSchemaV1<FlatActionRow>>(
  match: ActionMatch<TSchema>,
  handler: ActionHandler<StandardSchemaV1.InferOutput<TSchema>>,
): ActionRoute => {
  const route = { match, handler };
  checkRoute(route);
  return route;
};

const fromKey = (key: string): ActionMatch => {
  const [, item = '', visual] = /^([^/]*)(?:\/(.*))?$/s.exec(key) ?? [];
  return { ...(item !== '*' && { item }), ...(visual !== undefined && { visual }) };
};

const weight = ({ item, visual }: ActionMatch): number =>
  (visual === undefined ? 0 : 1) + (item === undefined ? 0 : 2);

/** Converts every form of handlers to one list, in matching order. */
export const toRoutes = (handlers: ActionHandlers): readonly ActionRoute[] => {
  if (typeof handlers === 'function') return [{ match: {}, handler: handlers }];
  const routes = Array.isArray(handlers)
    ? (handlers as readonly ActionRoute[])
    : Object.entries(handlers as Readonly<Record<string, ActionHandler>>)
        .map(([key, handler]) => ({ match: fromKey(key), handler }))
        // Readers do not expect order in a record, so the most specific key goes first.
        .sort((a, b) => weight(b.match) - weight(a.match));
  routes.forEach(checkRoute);
  return routes;
};

/** Whether a route identifies an item by number, which needs a lookup in the portal. */
export const needsItemId = (routes: readonly ActionRoute[]): boolean =>
  routes.some(({ match: { item } }) => item !== undefined && !isGuid(item));

/** Finds the first route that matches an event, whose item has this number. */
export const findRoute = (
  routes: readonly ActionRoute[],
  event: ActionEvent,
  itemId: number | undefined,
): ActionRoute | undefined =>
  routes.find(({ match: { item, visual } }) => {
    if (visual !== undefined && visual !== event.visual) return false;
    if (item === undefined) return true;
    return isGuid(item) ? guidOf(String(item)) === event.reportId : Number(item) === itemId;
  });
