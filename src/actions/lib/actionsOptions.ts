import type { PortalConnectionInput } from '@vitrine/portal-client';
import { type Logger, VitrineOptionsError } from '@vitrine/server';
import {
  checkDiagnosticOptions,
  checkNumbers,
  checkOptions,
  type NumberRanges,
  type OptionNames,
} from '@vitrine/server/internal';
import type { OnDiagnostic } from './diagnostics.ts';
import type { DispatchOptions } from './dispatch/actionDispatcher.ts';
import type { AudienceFunction, ItemIdOf } from './dispatch/publisher.ts';
import type { ActionHandlers } from './dispatch/routes.ts';
import type { ActionReceiverOptions } from './receive/actionReceiver.ts';
import type { StreamOptions } from './stream/streamOptions.ts';

/**
 * Who gets an action. `clicker`: the person who clicked, whose e-mail address the portal knows by `currentUser`; it must be the
 * `userId` that your `viewer` returns. A function names other user IDs, who may then see rows that row-level security would keep
 * from them. `nobody`: handlers alone.
 */
export type Audience = 'clicker' | 'nobody' | AudienceFunction;

/** Options of `createActions`. */
export interface ActionsOptions extends Omit<ActionReceiverOptions, 'onDiagnostic' | 'now'> {
  /** Who gets an action. Required: nothing is delivered to anybody whom it does not name. */
  readonly audience: Audience;
  /**
   * The portal, which is asked for the e-mail address of the clicker and the number of the report. Not needed with the audience
   * `nobody`, or where `itemIdOf` and a function `audience` answer both.
   */
  readonly portal?: PortalConnectionInput;
  /** Finds an item's number by the GUID of the webhook, instead of asking the portal. */
  readonly itemIdOf?: ItemIdOf;
  /** Handlers. Without any, actions still reach the viewers. */
  readonly on?: ActionHandlers;
  /** How events are handed to handlers; `false` only stores them, for a process that does nothing else. */
  readonly dispatch?: DispatchOptions | false;
  /** How actions are streamed to browsers. */
  readonly stream?: StreamOptions;
  /** Time that `audience` and the look-up of the item each have for one action, in milliseconds. Default: 10 seconds. */
  readonly lookupTimeoutMs?: number;
  /**
   * How long handled deliveries are kept, in milliseconds; `false` keeps them for ever. Those that wait, are parked or dead
   * stay in any case. Default: 30 days.
   */
  readonly keepHandledMs?: number | false;
  /** Warns when no delivery has arrived for so long, in milliseconds. Default: never, because only you know what is usual. */
  readonly quietAfterMs?: number;
  /** Where diagnostics go: `pino()` or `console`. Default: warnings and errors on the console. */
  readonly logger?: Logger;
  /** Gets the same diagnostics as data, instead of `logger`. */
  readonly onDiagnostic?: OnDiagnostic;
  /** The present moment in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** A random number in [0, 1). Default: `Math.random`. */
  readonly random?: () => number;
}

const optionNames: OptionNames<ActionsOptions> = {
  audience: true,
  portal: true,
  itemIdOf: true,
  secrets: true,
  inbox: true,
  on: true,
  dispatch: true,
  stream: true,
  lookupTimeoutMs: true,
  secretPolicy: true,
  allowedSources: true,
  keepRejected: true,
  maxBodyBytes: true,
  maxBytesInFlight: true,
  bodyTimeoutMs: true,
  keepHandledMs: true,
  quietAfterMs: true,
  logger: true,
  onDiagnostic: true,
  now: true,
  random: true,
};

const ranges: NumberRanges<ActionsOptions> = {
  lookupTimeoutMs: [1, 600_000],
  keepHandledMs: [0, Number.MAX_SAFE_INTEGER, false],
  quietAfterMs: [1, Number.MAX_SAFE_INTEGER],
};

/** Throws a `VitrineOptionsError` for options that actions cannot work with. */
export const checkActionsOptions = (options: ActionsOptions): void => {
  checkOptions('createActions()', options, optionNames);
  checkNumbers('createActions()', options, ranges);
  checkDiagnosticOptions('createActions()', options);
  const { inbox, audience, portal, itemIdOf, dispatch } = options;
  if (typeof inbox?.append !== 'function')
    throw new VitrineOptionsError(
      'missing_inbox',
      'createActions() has no inbox to store deliveries in. Set `inbox: sqliteInbox("./actions.db")`.',
    );
  if (audience !== 'clicker' && audience !== 'nobody' && typeof audience !== 'function')
    throw new VitrineOptionsError(
      'missing_audience',
      'createActions() does not know who may see an action. Set `audience: "clicker"`, a function `(event) => [userId, …]`, or "nobody" for handlers alone.',
    );
  const asksPortal = audience === 'clicker' || (audience !== 'nobody' && itemIdOf === undefined);
  if (asksPortal && portal === undefined && dispatch !== false)
    throw new VitrineOptionsError(
      'missing_portal',
      'createActions() needs a portal to look up who clicked and in which report. Set `portal: portalFromEnv()`.',
    );
};
