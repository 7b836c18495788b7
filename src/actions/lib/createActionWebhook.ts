import type { Logger } from '@vitrine/server';
import { VitrineOptionsError } from '@vitrine/server';
import {
  checkNewsPlaces,
  checkNumbers,
  checkOptions,
  type NumberRanges,
  type OptionNames,
} from '@vitrine/server/internal';
import { createActionDispatcher, type DispatchOptions } from './dispatch/actionDispatcher.ts';
import { type ActionHandlers, toRoutes } from './dispatch/routes.ts';
import type { InboxHealth } from './inbox/actionInbox.ts';
import { type ReportNews, safeReport } from './news.ts';
import {
  type ActionReceiver,
  type ActionReceiverOptions,
  createActionReceiver,
} from './receive/actionReceiver.ts';
import { createSilenceAlarm } from './silenceAlarm.ts';

/** Options of the action webhook, in every framework. */
export interface ActionWebhookOptions extends Omit<ActionReceiverOptions, 'report'> {
  /** Handlers. Without one, actions still reach the viewers through the action stream. */
  readonly on?: ActionHandlers;
  /** How events are handed to handlers; `false` only stores them, for a process that does nothing else. */
  readonly dispatch?: DispatchOptions | false;
  /**
   * How long handled deliveries are kept, in milliseconds; `false` keeps them for ever. Those that wait, are parked or dead
   * stay in any case. Default: 30 days.
   */
  readonly keepHandledMs?: number | false;
  /** Warns when no delivery has arrived for so long, in milliseconds. Default: never, because only you know what is usual. */
  readonly quietAfterMs?: number;
  /** Where news for an operator go: `pino()` or `console`. Default: warnings and errors on the console. */
  readonly logger?: Logger;
  /** Gets the same news as data, instead of `logger`. */
  readonly report?: ReportNews;
}

/** The webhook without a framework. */
export interface ActionWebhook {
  readonly receive: ActionReceiver['receive'];
  /** Whether a delivery could be stored right now: the answer for a health check. */
  readonly health: () => Promise<InboxHealth>;
  /** Tells `report` or `logger` something. */
  readonly report: ReportNews;
  /**
   * Ends cleanly, as on SIGTERM: what is on its way is still stored, and running handlers end, within `graceMs` (default
   * 10 seconds), then the inbox is closed. Call it first and close the server afterwards, so that no delivery meets a
   * closed door.
   */
  readonly close: (graceMs?: number) => Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;

const optionNames: OptionNames<ActionWebhookOptions> = {
  secrets: true,
  inbox: true,
  on: true,
  dispatch: true,
  secretPolicy: true,
  allowedSources: true,
  keepRefused: true,
  maxBodyBytes: true,
  maxBytesInFlight: true,
  bodyTimeoutMs: true,
  keepHandledMs: true,
  quietAfterMs: true,
  logger: true,
  report: true,
  now: true,
};

const ranges: NumberRanges<ActionWebhookOptions> = {
  keepHandledMs: [0, Number.MAX_SAFE_INTEGER, false],
  quietAfterMs: [1, Number.MAX_SAFE_INTEGER],
};

/**
 * Creates the receiver and the dispatcher over one inbox.
 *
 * @throws VitrineOptionsError: `missing_options`, `unknown_option`, `invalid_action_option`, `invalid_logger`, `missing_inbox` and those of `createActionReceiver`.
 */
export const createActionWebhook = (options: ActionWebhookOptions): ActionWebhook => {
  checkOptions('The action webhook', options, optionNames);
  checkNumbers('the action webhook', options, ranges);
  checkNewsPlaces('the action webhook', options);
  const { on, dispatch, keepHandledMs = 30 * dayMs, quietAfterMs, logger, ...received } = options;
  const { inbox, now = Date.now } = received;
  if (typeof inbox?.append !== 'function')
    throw new VitrineOptionsError(
      'missing_inbox',
      'The action webhook has no inbox to store deliveries in. Set `inbox: sqliteInbox("./actions.db")`.',
    );
  const report = safeReport(options.report, logger);
  const receiver = createActionReceiver({ ...received, report });
  const routes = toRoutes(on);
  const dispatcher =
    dispatch === false ? undefined : createActionDispatcher({ ...dispatch, inbox, routes, report });
  const prune = (): void => {
    if (keepHandledMs === false) return;
    inbox.prune(now() - keepHandledMs).catch((error: unknown) => report({ kind: 'inbox-failed', error }));
  };
  const pruning = dispatcher && setInterval(prune, dayMs / 24);
  pruning?.unref();
  const silence = quietAfterMs === undefined ? undefined : createSilenceAlarm({ quietAfterMs, report, now });
  const unhear = inbox.hear?.((item) => report({ kind: 'store', news: item }));
  let closing: Promise<void> | undefined;

  return {
    receive:
      silence === undefined
        ? (request) => receiver.receive(request)
        : async (request) => {
            const response = await receiver.receive(request);
            if (response.status === 202) silence.heard();
            return response;
          },
    health: () => inbox.health(),
    report,
    close(graceMs = 10_000) {
      closing ??= (async () => {
        clearInterval(pruning);
        silence?.stop();
        await Promise.all([receiver.stop(graceMs), dispatcher?.stop(graceMs)]);
        await inbox.close();
        unhear?.();
      })();
      return closing;
    },
  };
};
