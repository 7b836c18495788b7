import type { MountedActions } from '../actionRoutes.ts';
import { inTime } from '../hostCalls.ts';
import { parseLogger } from '../options.ts';
import { createPublisher } from './audience.ts';
import type { ActionsContext } from './context.ts';
import { createMessageOf, createReport } from './diagnostics.ts';
import { createDispatcher } from './dispatch.ts';
import type { DeliveryCounts } from './inbox.ts';
import { createActionMetrics } from './metrics.ts';
import { type ActionsOptions, checkActionsOptions } from './options.ts';
import { createReceiver } from './receive.ts';
import { toRoutes } from './routes.ts';
import { createActionStream } from './stream.ts';
import { defaultTiming, type Timing } from './timing.ts';

/** Whether deliveries can be stored, and how many are in each state. */
export type ActionsHealth = {
  /** False after a delivery could not be stored, until one is stored or a minute has passed. */
  readonly canPersist: boolean;
  /** Up to 10,000 each. Absent if the database does not answer. */
  readonly counts?: DeliveryCounts;
};

/** The result of {@link createActions}, for `vitrine({ actions })`, which serves `POST {endpoint}/webhook` and `GET {endpoint}/actions`. */
export interface Actions extends Required<MountedActions> {
  /** Open streams in this process. */
  readonly streamCount: number;
  /** For health checks and metrics: whether a delivery can be stored, and how many are in each state. */
  readonly health: () => Promise<ActionsHealth>;
  /**
   * Prepares to shut down: streams end, so that browsers reconnect to another process, and running handlers finish within
   * `graceMs` (default 10 seconds). Deliveries are still stored. Then stop the server and call `close`.
   */
  readonly drain: (graceMs?: number) => Promise<void>;
  /** Shuts down: drains, then closes the inbox. Deliveries that arrive later get a 503 response and are lost. */
  readonly close: (graceMs?: number) => Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Often enough for a host that is deployed several times a day. */
const pruneEveryMs = 10 * 60 * 1000;
/** How long a health check waits for the counts. */
const countMs = 2000;

/** {@link createActions} with other durations and limits, for tests. */
export const startActions = (options: ActionsOptions, timing: Partial<Timing> = {}): Actions => {
  checkActionsOptions(options);
  const { inbox, portal, on, keepHandledMs = 30 * dayMs } = options;
  const known = [options.secrets, portal?.apiKey ?? [], portal?.passPhrase ?? []].flat();
  const messageOf = createMessageOf(known);
  const context: ActionsContext = {
    inbox,
    report: createReport(parseLogger(options.logger), messageOf),
    messageOf,
    timing: { ...defaultTiming, ...timing },
    contact: { hasResponded: false, notReadyReason: 'The action inbox has not responded yet.' },
  };
  const { contact, report } = context;
  const unwatch = inbox.watch((change) => {
    if (typeof change === 'string') return;
    Object.assign(contact, { hasResponded: true, notReadyReason: change.problem });
    report({ kind: 'inbox-failed', message: change.problem });
  });
  const receiver = createReceiver(context, options);
  const routes = on && toRoutes(on);
  const publisher = createPublisher(context, options);
  const stream = createActionStream(context);
  const metrics = createActionMetrics(inbox, () => stream.streamCount);
  const dispatcher =
    options.dispatch === false
      ? undefined
      : createDispatcher(context, { ...options, routes, publisher, onSettled: metrics.settled });
  const prune = (): void => {
    if (keepHandledMs === false) return;
    inbox.prune(Date.now() - keepHandledMs).catch((error: unknown) => {
      report({ kind: 'inbox-failed', message: 'Could not remove old actions', error });
    });
  };
  const pruning = dispatcher && setInterval(prune, pruneEveryMs).unref();
  let draining: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const drain = async (graceMs: number): Promise<void> => {
    clearInterval(pruning);
    stream.close();
    receiver.enter('draining');
    await dispatcher?.stop(graceMs);
  };
  const close = async (graceMs: number): Promise<void> => {
    await (draining ??= drain(graceMs));
    unwatch();
    metrics.close();
    receiver.enter('closed');
    await Promise.all([inbox.close(), publisher.close()]);
  };

  return {
    async receive(request, source) {
      const startMs = performance.now();
      const response = await receiver.receive(request, source);
      metrics.answered(response.status, startMs);
      return response;
    },
    notReadyReason: () => contact.notReadyReason,
    open: (request) => stream.open(request),
    get streamCount() {
      return stream.streamCount;
    },
    async health() {
      const counts = await inTime(inbox.counts(), 'The count', countMs).catch(() => undefined);
      const isReplaced = contact.hasResponded && contact.notReadyReason !== undefined;
      const canPersist = receiver.canPersist() && counts !== undefined && !isReplaced;
      return { canPersist, ...(counts && { counts }) };
    },
    drain: (graceMs = 10_000) => (draining ??= drain(graceMs)),
    close: (graceMs = 10_000) => (closing ??= close(graceMs)),
  };
};

/**
 * Creates everything between a click in a report and your app: the receiver of the portal's webhooks, the dispatch to your
 * handlers, and the stream to the browsers.
 *
 * @throws VitrineOptionsError
 *
 * @example
 * ```ts
 * import { createActions, sqliteInbox } from '@vitrine/server/actions';
 * import { portalFromEnv } from '@vitrine/server';
 *
 * const actions = createActions({
 *   portal: portalFromEnv(),
 *   secrets: process.env.VITRINE_WEBHOOK_SECRET ?? '',
 *   inbox: sqliteInbox('./actions.db'),
 *   on: { 1042: ({ rows }) => ({ message: `${rows.length} regions open` }) },
 *   audience: 'clicker',
 * });
 * ```
 */
export const createActions = (options: ActionsOptions): Actions => startActions(options);
