import type { Viewer } from '../access/viewer.ts';
import type { HostExchange } from '../http/hostExchange.ts';
import type { ActionsOpening } from '../http/openActions.ts';
import { createKeyEndpoint, type KeyEndpoint } from '../keys/createKeyEndpoint.ts';
import { createTenants } from '../keys/createTenants.ts';
import { createLimits } from '../limits/createLimits.ts';
import { parseVitrineOptions } from '../options/parseVitrineOptions.ts';
import type { VitrineOptions } from '../options/vitrineOptions.ts';
import { warnAboutSetup, warningFields } from '../options/warnAboutSetup.ts';
import { createActionsEndpoint } from './createActionsEndpoint.ts';
import { type Health, readHealth } from './readHealth.ts';

/** Everything under `{endpoint}`, before any framework. */
export interface Mount<TRequest> {
  readonly endpoint: string;
  readonly answerKey: KeyEndpoint<TRequest>;
  /** Undefined when the host asked for no actions. */
  readonly actions: ((exchange: HostExchange<TRequest>, url: string) => ActionsOpening) | undefined;
  /** Hears of a request for actions that the host does not give, with its marker header; a page's is warned of once. */
  readonly missActions: (marker: string | null | undefined) => void;
  /** Whether keys can be created now, by what the last calls met. Costs nothing and calls nobody. */
  readonly health: () => Health;
  /** Closes the connections to the portal once the calls under way have ended. */
  readonly close: () => Promise<void>;
}

/** Makes a {@link Mount}. Throws when an option cannot be used; a connection that is no function is checked too. */
export const createMount = <TRequest, TViewer extends Viewer>(
  options: VitrineOptions<TRequest, TViewer>,
): Mount<TRequest> => {
  const parsed = parseVitrineOptions(options);
  const { logger, rateLimit } = parsed;
  const tenants = createTenants(parsed.tenant);
  const fixed = typeof parsed.portal === 'function' ? undefined : tenants.of(parsed.portal);
  warnAboutSetup(logger, {
    lifetimeMs: parsed.tenant.lifetimeMs,
    rateLimit,
    connection: fixed?.connection,
  });
  const limits =
    rateLimit &&
    createLimits(rateLimit, () =>
      logger.warn(
        warningFields('rate_limit_store_failed'),
        'The shared store of the rate limit failed; this process counts by itself meanwhile.',
      ),
    );
  let hasMissed = false;
  return {
    endpoint: parsed.endpoint,
    answerKey: createKeyEndpoint(parsed, tenants, limits),
    actions: parsed.actions && createActionsEndpoint(parsed, parsed.actions),
    missActions: (marker) => {
      if (hasMissed || (marker ?? null) === null) return;
      hasMissed = true;
      logger.warn(
        warningFields('actions_off'),
        'A page listens for actions and hears of none: the option "actions" is missing. Hand in createActionStream().',
      );
    },
    health: () => readHealth(tenants.list()),
    close: tenants.close,
  };
};
