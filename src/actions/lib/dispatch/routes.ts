import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { FlatActionRow } from '@vitrine/contract';
import { checkOptions, fail, type OptionNames } from '@vitrine/server/internal';
import type { ActionEvent } from '../actionEvent.ts';
import type { ActionReply } from '../inbox/actionInbox.ts';

/** Something that {@link ActionContext.once} does; the key is the same at every attempt. */
export type Effect<TResult> = (step: { readonly idempotencyKey: string }) => TResult | Promise<TResult>;

/** What a handler is given beside the event. */
export interface ActionContext {
  /** ID of the delivery: the same at every attempt, so it serves as an idempotency key. */
  readonly eventId: string;
  /** 1 at the first attempt. */
  readonly attempt: number;
  /** Fires when the handler's time is up or the host stops. */
  readonly signal: AbortSignal;
  /**
   * Runs an effect once for this event, however often the handler runs: a later call gives the noted result (plain JSON),
   * and one that comes while it still runs waits for it. The effect is noted right after it happened. It
   * runs again where the process is killed between the two, or where it outlasts its attempt and another process makes the
   * next: heed `signal`, and pass `idempotencyKey` on to services that take one.
   */
  readonly once: <TResult>(key: string, effect: Effect<TResult>) => Promise<TResult>;
}

/**
 * Handles an event. What it returns travels to the viewers with the action; a thrown error means another attempt.
 * It runs at least once per event: effects that must happen once go through {@link ActionContext.once}.
 */
export type ActionHandler<TFlatRow = FlatActionRow> = (
  event: ActionEvent<TFlatRow>,
  context: ActionContext,
) => ActionReply | undefined | void | Promise<ActionReply | undefined | void>;

/** Which events a handler takes; what is left out matches everything. */
export interface ActionMatch<TSchema extends StandardSchemaV1 = StandardSchemaV1> {
  /** Report by its ID as the webhook gives it, or by its display name. */
  readonly report?: string;
  /** Internal visual ID of the BI platform. */
  readonly visual?: string;
  /** Any Standard Schema (zod, valibot, arktype …) for one flat row. An event with a row that fails it is parked. */
  readonly schema?: TSchema;
}

/** A handler and the events it takes; made by {@link on}. */
export interface ActionRoute {
  readonly match: ActionMatch;
  readonly handler: ActionHandler;
}

const matchNames: OptionNames<ActionMatch> = { report: true, visual: true, schema: true };

/** A misspelt condition would match everything, and one that is no text would fail at every event. */
const checkRoute = ({ match, handler }: ActionRoute): void => {
  checkOptions('on() of the action webhook', match, matchNames);
  const { report, visual, schema } = match;
  for (const [name, value] of Object.entries({ report, visual }))
    if (value !== undefined && typeof value !== 'string')
      fail(
        'invalid_action_handler',
        `"${name}" of on() must be a text, as the webhook gives it; it is a value of type ${typeof value}.`,
      );
  if (schema !== undefined && typeof schema?.['~standard']?.validate !== 'function')
    fail(
      'invalid_action_handler',
      '"schema" of on() must be a Standard Schema, such as one of zod or valibot.',
    );
  if (typeof handler !== 'function')
    fail('invalid_action_handler', 'A handler in `on` of the action webhook is not a function.');
};

/**
 * Binds a handler to events: `on({ report: 'Sales by region', schema }, (event) => …)`. `flatRows` are typed by the schema.
 *
 * @throws VitrineOptionsError `unknown_option`, `invalid_action_handler`.
 */
export const on = <TSchema extends StandardSchemaV1 = StandardSchemaV1<FlatActionRow>>(
  match: ActionMatch<TSchema>,
  handler: ActionHandler<StandardSchemaV1.InferOutput<TSchema>>,
): ActionRoute => {
  const route = { match, handler };
  checkRoute(route);
  return route;
};

/**
 * Handlers of a webhook: one for everything, a record, or a list of {@link on}.
 * Keys of a record are a report (ID or display name), `<report>/<visual>`, or `*` for the rest.
 */
export type ActionHandlers = ActionHandler | Readonly<Record<string, ActionHandler>> | readonly ActionRoute[];

const fromKey = (key: string): readonly ActionMatch[] => {
  if (key === '*') return [{}];
  const slash = key.lastIndexOf('/');
  if (slash < 0) return [{ report: key }];
  const report = key.slice(0, slash);
  // The display name of a report may hold a slash of its own.
  return [{ ...(report !== '*' && { report }), visual: key.slice(slash + 1) }, { report: key }];
};

const weight = ({ report, visual }: ActionMatch): number =>
  (visual === undefined ? 0 : 2) + (report === undefined ? 0 : 1);

/** Brings every way of writing handlers into one list, in the order in which they are asked. */
export const toRoutes = (handlers: ActionHandlers | undefined): readonly ActionRoute[] => {
  if (handlers === undefined) return [];
  if (typeof handlers === 'function') return [{ match: {}, handler: handlers }];
  const routes = Array.isArray(handlers)
    ? (handlers as readonly ActionRoute[])
    : Object.entries(handlers as Readonly<Record<string, ActionHandler>>)
        .flatMap(([key, handler]) => fromKey(key).map((match) => ({ match, handler })))
        // A record has no order a reader can see, so the most specific key goes first.
        .sort((a, b) => weight(b.match) - weight(a.match));
  routes.forEach(checkRoute);
  return routes;
};

const isSameReport = (report: string, event: ActionEvent): boolean =>
  report.toLowerCase() === event.reportId.toLowerCase() || report === event.reportName;

/** The first route that takes an event. */
export const findRoute = (routes: readonly ActionRoute[], event: ActionEvent): ActionRoute | undefined =>
  routes.find(
    ({ match }) =>
      (match.report === undefined || isSameReport(match.report, event)) &&
      (match.visual === undefined || match.visual === event.visual),
  );
