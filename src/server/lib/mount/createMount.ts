import { createHostCalls } from '../access/createHostCalls.ts';
import type { Viewer } from '../access/viewer.ts';
import type { MountedActions } from '../http/actionsRoute.ts';
import type { HostExchange } from '../http/hostExchange.ts';
import type { ActionsOpening } from '../http/openActions.ts';
import { createKeyEndpoint, type KeyEndpoint } from '../keys/createKeyEndpoint.ts';
import { createLimits } from '../limits/createLimits.ts';
import { createLogThrottle } from '../log/createLogThrottle.ts';
import { parseVitrineOptions } from '../options/parseVitrineOptions.ts';
import type { VitrineOptions } from '../options/vitrineOptions.ts';
import { warnAboutSetup, warningFields } from '../options/warnAboutSetup.ts';
import { createKeyObserver } from '../telemetry/createKeyObserver.ts';
import { createKeyMetrics } from '../telemetry/keyMetrics.ts';
import { createTenantUpstreams } from '../upstream/createTenantUpstreams.ts';
import { createActionsEndpoint } from './createActionsEndpoint.ts';
import { logStart } from './logStart.ts';
import { type Health, readHealth } from './readHealth.ts';

/** Everything under `{endpoint}`, before any framework. */
export interface Mount<TRequest> {
  readonly endpoint: string;
  readonly answerKey: KeyEndpoint<TRequest>;
  /** Undefined when the host asked for no actions. */
  readonly actions: ((exchange: HostExchange<TRequest>, url: string) => ActionsOpening) | undefined;
  /** Takes a webhook of the portal. Undefined when the host asked for no actions. */
  readonly receive: MountedActions['receive'];
  /** Hears of a request for actions that the host does not offer, with its marker header; a page's is warned of once. */
  readonly missActions: (marker: string | null | undefined) => void;
  /** Reports what a hook of the host threw while an answer was sent. */
  readonly reportSendError: (error: unknown, request: TRequest) => void;
  /** What the mount knows of itself, for probes and alerts. Costs nothing and calls nobody. */
  readonly health: () => Health;
  /**
   * Ends after the calls in flight, then closes the connections to the portal. Final: from the first call on, key
   * requests are answered 503, so stop the server's listening first.
   */
  readonly close: () => Promise<void>;
}

/** Creates a {@link Mount}. Throws when an option cannot be used; a connection that is not a function is checked too. */
export const createMount = <TRequest, TViewer extends Viewer>(
  given: VitrineOptions<TRequest, TViewer>,
): Mount<TRequest> => {
  const options = parseVitrineOptions(given);
  const { logger, rateLimit, telemetry, audit, onError, now } = options;
  const upstreams = createTenantUpstreams(options.upstream);
  const fixed = typeof options.portal === 'function' ? undefined : upstreams.of(options.portal);
  warnAboutSetup(logger, {
    lifetimeMs: options.upstream.lifetimeMs,
    rateLimit,
    connection: fixed?.connection,
  });
  logStart(options, fixed);
  const limits =
    rateLimit &&
    createLimits(rateLimit, () =>
      logger.warn(
        warningFields('rate_limit_store_failed'),
        'The shared store of the rate limit failed; this process counts by itself meanwhile.',
      ),
    );
  const throttle = createLogThrottle(logger);
  const metrics = telemetry && createKeyMetrics(telemetry, upstreams.list);
  const observer = createKeyObserver({ logger, throttle, metrics, audit, onError, now });
  const hostCalls = createHostCalls(options.callbackTimeoutMs);
  let isClosed = false;
  let hasMissed = false;
  return {
    endpoint: options.endpoint,
    answerKey: createKeyEndpoint({
      options,
      hostCalls,
      upstreams,
      limits,
      observer,
      isClosed: () => isClosed,
    }),
    actions:
      options.actions &&
      createActionsEndpoint({
        options,
        route: options.actions,
        hostCalls,
        observer,
        redact: upstreams.redact,
      }),
    receive: options.actions?.receive,
    missActions: (marker) => {
      if (hasMissed || (marker ?? null) === null) return;
      hasMissed = true;
      logger.warn(
        warningFields('actions_off'),
        'A page listens for actions and gets none: the option "actions" is missing. Pass createActions().',
      );
    },
    reportSendError: (error, request) => observer.sendError(error, { request, redact: upstreams.redact }),
    health: () => readHealth(upstreams.list(), { isReady: !isClosed, nowMs: now() }),
    close: async () => {
      isClosed = true;
      await upstreams.close();
      metrics?.close();
      throttle.flush();
    },
  };
};
