import {
  checkChoice,
  checkDiagnosticOptions,
  checkOpenTelemetry,
  checkOptions,
  fail,
  longestTimerMs,
  type OptionNames,
} from '@vitrine/server/internal';
import type { ActionsOptions, BackoffOptions, DispatchOptions, StreamOptions } from './actionsOptions.ts';
import { needsItemId, toRoutes } from './dispatch/routes.ts';

const many = Number.MAX_SAFE_INTEGER;

const names: OptionNames<ActionsOptions> = {
  secrets: true,
  inbox: true,
  audience: true,
  portal: true,
  itemIdOf: true,
  on: true,
  dispatch: true,
  stream: true,
  lookupTimeoutMs: [1, 600_000],
  secretPolicy: true,
  allowedSources: true,
  maxBodyBytes: [1, many],
  maxBytesInFlight: [1, many],
  bodyTimeoutMs: [1, longestTimerMs],
  keepHandledMs: [0, many, false],
  logger: true,
  onDiagnostic: true,
  openTelemetry: true,
  now: true,
  random: true,
};
const dispatchNames: OptionNames<DispatchOptions> = {
  concurrency: [1, 1_000_000],
  timeoutMs: [1, longestTimerMs],
  leaseMs: [1, longestTimerMs],
  maxAttempts: [1, 1_000_000],
  backoff: true,
  duplicates: true,
  pollMs: [1, longestTimerMs],
};
const backoffNames: OptionNames<BackoffOptions> = {
  firstMs: [0, longestTimerMs],
  maxMs: [0, longestTimerMs],
};
const streamNames: OptionNames<StreamOptions> = {
  timeoutMs: [1, longestTimerMs],
  heartbeatMs: [1, longestTimerMs],
  maxStreamMs: [1, many],
  maxStreamsPerViewer: [1, 1_000_000],
  maxAgeMs: [1, many],
  pollMs: [1, longestTimerMs],
};

const checkDispatch = (dispatch: DispatchOptions): void => {
  checkOptions('the dispatch of actions', dispatch, dispatchNames);
  checkOptions('`backoff` of the dispatch of actions', dispatch.backoff ?? {}, backoffNames);
  checkChoice('duplicates', dispatch.duplicates, ['deliver', 'skip']);
  const { leaseMs, timeoutMs = 30_000 } = dispatch;
  if (leaseMs !== undefined && leaseMs <= timeoutMs)
    fail(
      'invalid_action_option',
      `Option "leaseMs" of the dispatch of actions is ${leaseMs}, and one attempt may take ${timeoutMs} ("timeoutMs"): the action could be leased again while its handler runs. Set leaseMs higher than timeoutMs, for example by a minute.`,
    );
};

/** Throws a `VitrineOptionsError` if the options of actions are not valid. */
export const checkActionsOptions = (options: ActionsOptions): void => {
  checkOptions('createActions()', options, names);
  checkDiagnosticOptions('createActions()', options);
  checkOpenTelemetry(options.openTelemetry);
  const { inbox, audience, portal, itemIdOf, on, dispatch = {}, stream = {} } = options;
  if (typeof inbox?.append !== 'function')
    fail(
      'missing_inbox',
      'createActions() needs an inbox to store deliveries. Set `inbox: sqliteInbox("./actions.db")`.',
    );
  if (audience !== 'clicker' && audience !== 'nobody' && typeof audience !== 'function')
    fail(
      'missing_audience',
      'createActions() needs an audience that may see actions. Set `audience: "clicker"`, a function `(event) => [userId, …]`, or "nobody" to only run handlers.',
    );
  const needsItem = audience !== 'nobody' || (on !== undefined && needsItemId(toRoutes(on)));
  const asksPortal = audience === 'clicker' || (needsItem && itemIdOf === undefined);
  if (asksPortal && portal === undefined && dispatch !== false)
    fail(
      'missing_portal',
      'createActions() needs a portal to look up who clicked in which report. Set `portal: portalFromEnv()`.',
    );
  if (dispatch !== false) checkDispatch(dispatch);
  checkOptions('`stream` of the actions', stream, streamNames);
};
