import { setTimeout as wait } from 'node:timers/promises';
import type { Secret } from '@vitrine/portal-client';
import type { MountedActions, OpenTelemetryApi } from '@vitrine/server';
import { defaultLogger, startOrWarn } from '@vitrine/server/internal';
import type { ActionsContext } from './actionsContext.ts';
import type { ActionsOptions } from './actionsOptions.ts';
import { checkActionsOptions } from './checkActionsOptions.ts';
import { createActionMetrics } from './createActionMetrics.ts';
import { createPortalLookups } from './createPortalLookups.ts';
import { createSecretMemory } from './createSecretMemory.ts';
import { safeOnDiagnostic } from './diagnostics.ts';
import { createActionDispatcher } from './dispatch/createActionDispatcher.ts';
import { createPublisher } from './dispatch/createPublisher.ts';
import { toRoutes } from './dispatch/routes.ts';
import type { InboxHealth } from './inbox/actionInbox.ts';
import { createActionReceiver } from './receive/createActionReceiver.ts';
import type { WebhookSecrets } from './receive/webhookSecrets.ts';
import { createActionStream, defaultMaxAgeMs } from './stream/createActionStream.ts';

/** The result of {@link createActions}, for `vitrine({ actions })`, which serves `POST {endpoint}/webhook` and `GET {endpoint}/actions`. */
export interface Actions extends Required<MountedActions> {
  /** Open streams in this process. */
  readonly streamCount: number;
  /** For health checks: whether a delivery can be stored, and how many are in each state. */
  readonly health: () => Promise<InboxHealth>;
  /** Ends the streams; browsers reconnect to another process. `close` does this too. */
  readonly endStreams: () => void;
  /**
   * Prepares to shut down: running handlers finish, within `graceMs` (default 10 seconds), and deliveries are stored until
   * none arrive for a moment. Then stop listening and call `close`; `createServerDrain` does all of this.
   */
  readonly drain: (graceMs?: number) => Promise<void>;
  /** Shuts down: drains, then closes the inbox. Deliveries that arrive later get a 503 response and are lost. */
  readonly close: (graceMs?: number) => Promise<void>;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Often enough for a host that is deployed several times a day. */
const pruneEveryMs = 10 * 60 * 1000;

const contactEveryMs = 1000;

/** Reads from an inbox until it first responds: until then, each webhook is lost. */
const awaitInbox = ({ inbox, messageOf }: ActionsContext) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let reason: string | undefined = 'The action inbox has not responded yet.';
  const run = async (): Promise<void> => {
    while (reason !== undefined && !signal.aborted)
      try {
        await inbox.list({ limit: 1 });
        reason = undefined;
      } catch (error) {
        reason = `The action inbox does not respond: ${messageOf(error)}`;
        await wait(contactEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
  };
  void run();
  return { reason: () => reason, stop: () => stopping.abort() };
};

/** Wraps secrets so that `remember` gets them whenever they are read. */
const remembered =
  (secrets: WebhookSecrets, remember: (given: unknown) => void) => (): readonly (string | Secret)[] => {
    const given = typeof secrets === 'function' ? secrets() : secrets;
    remember(given);
    return [given ?? []].flat();
  };

/**
 * Creates everything between a click in a report and your app: the receiver of the portal's webhooks, the dispatch to your
 * handlers, and the stream to the browsers.
 *
 * @throws VitrineOptionsError `missing_options`, `unknown_option`, `missing_inbox`, `missing_audience`, `missing_portal`,
 * `invalid_action_option`, `invalid_action_handler`, `invalid_logger`, and those of the secrets: `missing_webhook_secret`,
 * `invalid_webhook_secret`, `webhook_secret_too_short`, `invalid_allowed_sources`.
 *
 * @example
 * ```ts
 * import { createActions, sqliteInbox } from '@vitrine/actions';
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
export const createActions = (options: ActionsOptions): Actions => {
  checkActionsOptions(options);
  const { inbox, audience, portal, on, dispatch, stream: streamOptions = {}, itemIdOf } = options;
  const { now = Date.now, random = Math.random, lookupTimeoutMs: timeoutMs = 10_000 } = options;
  const { keepHandledMs = 30 * dayMs, openTelemetry } = options;
  const memory = createSecretMemory();
  memory.remember(portal?.apiKey);
  memory.remember(portal?.passPhrase);
  const { messageOf } = memory;
  const onDiagnostic = safeOnDiagnostic(options, messageOf);
  const context = { inbox, onDiagnostic, messageOf, now, random };
  const secrets = remembered(options.secrets, memory.remember);
  const receiver = createActionReceiver(context, { ...options, secrets });
  const routes = on && toRoutes(on);
  const lookups = portal && createPortalLookups(portal);
  const publisher = createPublisher(context, {
    audience,
    emailOf: lookups?.emailOf,
    itemIdOf: itemIdOf ?? lookups?.itemIdOf,
    timeoutMs,
  });
  const stream = createActionStream(context, streamOptions);
  const startMetrics = (api: OpenTelemetryApi) => createActionMetrics(context, api, () => stream.streamCount);
  const metrics =
    openTelemetry && startOrWarn(() => startMetrics(openTelemetry), options.logger ?? defaultLogger());
  const dispatcher =
    dispatch === false
      ? undefined
      : createActionDispatcher(context, {
          ...dispatch,
          routes,
          publisher,
          portal,
          showForMs: streamOptions.maxAgeMs ?? defaultMaxAgeMs,
          onSettled: metrics?.settled,
        });
  const prune = (): void => {
    if (keepHandledMs === false) return;
    inbox
      .prune(now() - keepHandledMs)
      .catch((error: unknown) => onDiagnostic({ kind: 'inbox-failed', error }));
  };
  const pruning = dispatcher && setInterval(prune, pruneEveryMs).unref();
  const contact = awaitInbox(context);
  const unsubscribe = inbox.onDiagnostic?.((diagnostic) => onDiagnostic({ kind: 'inbox', diagnostic }));
  let draining: Promise<void> | undefined;
  let closing: Promise<void> | undefined;

  const drain = async (graceMs: number): Promise<void> => {
    const endMs = performance.now() + graceMs;
    clearInterval(pruning);
    stream.close();
    receiver.askToDisconnect();
    await dispatcher?.stop(graceMs);
    await receiver.untilQuiet(endMs);
  };
  const close = async (graceMs: number): Promise<void> => {
    await (draining ??= drain(graceMs));
    contact.stop();
    metrics?.close();
    await receiver.stop();
    await Promise.all([inbox.close(), lookups?.close()]);
    unsubscribe?.();
  };

  return {
    async receive(request) {
      const startMs = performance.now();
      const response = await receiver.receive(request);
      metrics?.answered(response.status, startMs);
      return response;
    },
    maskWith: memory.maskWith,
    notReadyReason: contact.reason,
    open: (request, connection) => stream.open(request, connection),
    get streamCount() {
      return stream.streamCount;
    },
    health: () => inbox.health(),
    endStreams: () => stream.close(),
    drain: (graceMs = 10_000) => (draining ??= drain(graceMs)),
    close: (graceMs = 10_000) => (closing ??= close(graceMs)),
  };
};
