import { isPortalError, type PortalConnectionInput } from '@vitrine/portal-client';
import { createHostCalls } from '../access/createHostCalls.ts';
import type { Viewer } from '../access/viewer.ts';
import type { HostExchange } from '../exchange/hostExchange.ts';
import { createKeyEndpoint, type KeyEndpoint } from '../keys/createKeyEndpoint.ts';
import { createLimits } from '../limits/createLimits.ts';
import { createLogThrottle } from '../log/createLogThrottle.ts';
import { startOrWarn } from '../log/ignoreErrors.ts';
import { warnAboutSetup, warningFields } from '../log/warnAboutSetup.ts';
import type { MountedActions } from '../options/mountedActions.ts';
import { parseVitrineOptions } from '../options/parseVitrineOptions.ts';
import type { VitrineOptions } from '../options/vitrineOptions.ts';
import { VitrineOptionsError } from '../options/vitrineOptionsError.ts';
import { createKeyObserver } from '../telemetry/createKeyObserver.ts';
import { createKeyMetrics } from '../telemetry/keyMetrics.ts';
import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';
import { createTenantUpstreams, type TenantUpstreams } from '../upstream/createTenantUpstreams.ts';
import { createActionsEndpoint } from './createActionsEndpoint.ts';
import { logStart, logTenant } from './logStart.ts';
import type { ActionsOpening } from './openActions.ts';
import { type Health, readHealth } from './readHealth.ts';

/** Everything under `{endpoint}`, before any framework. */
export interface Mount<TRequest> {
  readonly endpoint: string;
  readonly answerKey: KeyEndpoint<TRequest>;
  /** Undefined without the option `actions`. */
  readonly actions: ((exchange: HostExchange<TRequest>, url: string) => ActionsOpening) | undefined;
  /** Receives a webhook of the portal. Undefined without the option `actions`. */
  readonly receive: MountedActions['receive'];
  /** Called for an action request without the option `actions`, with its marker header; warns once about a page's. */
  readonly missActions: (marker: string | null | undefined) => void;
  /** Reports an error that a hook of the host threw while a response was sent. */
  readonly reportSendError: (error: unknown) => void;
  /** The state of the endpoint, for probes and alerts. Cheap; makes no requests. */
  readonly health: () => Health;
  /**
   * Waits for in-flight calls, then closes the connections to the portal. Final: later key requests get 503, so stop the
   * server first.
   */
  readonly close: () => Promise<void>;
}

/** Opens the only portal of a mount; an invalid connection is an options error. */
const openFixed = (upstreams: TenantUpstreams, portal: PortalConnectionInput): TenantUpstream => {
  try {
    return upstreams.of(portal);
  } catch (error) {
    if (!isPortalError(error)) throw error;
    const isOption = error.code?.startsWith('bad_option_') === true;
    const other = isOption ? 'invalid_upstream' : 'invalid_portal';
    throw new VitrineOptionsError(error.code === 'invalid_proxy' ? 'invalid_proxy' : other, error.message);
  }
};

/** Creates a {@link Mount}. Throws if an option, or a fixed connection, is not valid. */
export const createMount = <TRequest, TViewer extends Viewer>(
  given: VitrineOptions<TRequest, TViewer>,
): Mount<TRequest> => {
  const options = parseVitrineOptions(given);
  const { logger, rateLimit, telemetry, audit, onError, now } = options;
  const throttle = createLogThrottle(logger);
  const upstreams = createTenantUpstreams(options.upstream, (upstream) => {
    if (typeof options.portal === 'function') logTenant(throttle, upstream);
  });
  const portal = typeof options.portal === 'function' ? options.portal : openFixed(upstreams, options.portal);
  const fixed = typeof portal === 'function' ? undefined : portal;
  options.actions?.maskWith?.(fixed?.redact ?? upstreams.redact);
  warnAboutSetup(logger, {
    lifetimeMs: options.upstream.lifetimeMs,
    rateLimit,
    connection: fixed?.connection,
  });
  logStart(options, fixed);
  const limits =
    rateLimit &&
    createLimits(rateLimit, ({ name, size, cause }) => {
      if (cause === undefined)
        logger.info({ limit: name }, `The shared store of rateLimit.${name} works again.`);
      else
        logger.warn(
          { ...warningFields('rate_limit_store_failed'), limit: name, cause },
          `The shared store of rateLimit.${name} failed (${cause}). Until it works again, this process counts separately: ${size}.`,
        );
    });
  const metrics = telemetry && startOrWarn(() => createKeyMetrics(telemetry, upstreams.list), logger);
  const observer = createKeyObserver({ logger, throttle, metrics, audit, onError, now });
  const hostCalls = createHostCalls(options.callbackTimeoutMs);
  let isClosed = false;
  let hasMissed = false;
  return {
    endpoint: options.endpoint,
    answerKey: createKeyEndpoint({
      options,
      hostCalls,
      portal,
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
        'A page listens for actions, but the option "actions" is missing. Set it to createActions(…).',
      );
    },
    reportSendError: (error) => observer.sendError(error, upstreams.redact),
    health: () => {
      const reason = isClosed ? 'close() was called.' : options.actions?.notReadyReason?.();
      return readHealth(upstreams.list(), { reason, nowMs: now() });
    },
    close: async () => {
      isClosed = true;
      await upstreams.close();
      metrics?.close();
      throttle.flush();
    },
  };
};
