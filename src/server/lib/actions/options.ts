import { kindOf, type OptionRules, valueText } from '@vitrine/contract/service';
import type { PortalConnectionInput, Secret } from '@vitrine/portal-client';
import type { MaybePromise } from '../hostCalls.ts';
import type { Logger } from '../log.ts';
import { checkOptions, checkPortal, hasMethods, invalid } from '../options.ts';
import type { ActionInbox } from './inbox.ts';
import type { ActionEvent } from './parse.ts';
import { type ActionHandlers, needsItemId, toRoutes } from './routes.ts';

/**
 * Who gets an action. `clicker`: the person who clicked; the portal looks up their email address by `currentUser`, and it
 * must equal the `userId` that your `viewer` returns, in any case. A function returns other user IDs, who may then see rows
 * that row-level security hides from them; a falsy value means nobody. `nobody`: only handlers.
 */
export type Audience =
  | 'clicker'
  | 'nobody'
  | ((event: ActionEvent) => MaybePromise<readonly string[] | string | null | undefined | false>);

/** Options of `createActions`. */
export interface ActionsOptions {
  /** Tokens of the Action Task; several during a rotation. Each at least 32 bytes. */
  readonly secrets: string | Secret | readonly (string | Secret)[];
  /** Where deliveries are stored before they are acknowledged. */
  readonly inbox: ActionInbox;
  /** Who gets an action. Required: nobody else gets it. */
  readonly audience: Audience;
  /**
   * The portal, which looks up the email address of the clicker and the item ID of the report. Not needed with the audience
   * `nobody`, or with `itemIdOf` and a function as `audience`.
   */
  readonly portal?: PortalConnectionInput;
  /** Returns the item ID for the GUID in a webhook, or undefined if there is none, instead of the portal's lookup. */
  readonly itemIdOf?: (reportId: string) => MaybePromise<number | undefined>;
  /** Handlers. Without them, actions still reach the viewers. */
  readonly on?: ActionHandlers;
  /** False for a process that only receives: another one with the same inbox handles the actions. Default: true. */
  readonly dispatch?: boolean;
  /** Time limit of one attempt, in milliseconds; then its signal aborts and the attempt counts as failed. Default: 30 seconds. */
  readonly handlerTimeoutMs?: number;
  /** IP addresses and ranges that may post. Default: all; the token is the main check. */
  readonly allowedSources?: readonly string[];
  /** Largest body, in bytes; a larger one is rejected with 413 and reported. Default: 5 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * How long handled deliveries are kept, in milliseconds; `false` keeps them forever. Waiting, parked and dead ones are
   * never removed. Default: 30 days.
   */
  readonly keepHandledMs?: number | false;
  /**
   * Logger for diagnostics, whose fields name the kind and the delivery: `pino()` or `console`. Default: warnings and errors
   * on the console. False turns logging off.
   */
  readonly logger?: Logger | false;
}

/** What each option may hold. */
const rules: OptionRules<keyof ActionsOptions> = {
  secrets: true,
  inbox: true,
  audience: true,
  portal: true,
  itemIdOf: { kind: 'function' },
  on: true,
  dispatch: { kind: 'boolean' },
  handlerTimeoutMs: { kind: 'whole', min: 1, max: 30 * 60_000 },
  allowedSources: true,
  maxBodyBytes: { kind: 'whole', min: 1 },
  keepHandledMs: { kind: 'whole', min: 0, or: false },
  logger: true,
};

/** Throws a `VitrineOptionsError` if the options of actions are not valid. */
export const checkActionsOptions = (options: ActionsOptions): void => {
  checkOptions('createActions()', options, rules);
  const { inbox, audience, portal, itemIdOf, on, dispatch } = options;
  if (portal !== undefined) checkPortal(portal);
  if (!hasMethods(inbox, ['append']))
    invalid(
      'inbox',
      kindOf(inbox),
      'sqliteInbox("./actions.db") or postgresInbox(url), which stores deliveries',
    );
  if (audience !== 'clicker' && audience !== 'nobody' && typeof audience !== 'function')
    invalid(
      'audience',
      valueText(audience),
      'who may see actions: "clicker", a function (event) => [userId, …], or "nobody" to only run handlers',
    );
  const needsItem = audience !== 'nobody' || (on !== undefined && needsItemId(toRoutes(on)));
  const asksPortal = audience === 'clicker' || (needsItem && itemIdOf === undefined);
  if (asksPortal && portal === undefined && dispatch !== false)
    invalid('portal', 'missing', 'portalFromEnv(), which looks up who clicked in which report');
};
