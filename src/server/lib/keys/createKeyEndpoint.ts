import type { PortalConnectionInput } from '@vitrine/portal-client';
import { checkMarker, checkSite } from '../access/checkSite.ts';
import { checkViewer } from '../access/checkViewer.ts';
import { isThenable } from '../access/isThenable.ts';
import { readKeyRequest } from '../access/readKeyRequest.ts';
import type { Viewer } from '../access/viewer.ts';
import type { HostAnswer, HostExchange } from '../http/hostExchange.ts';
import type { Limits } from '../limits/createLimits.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import { warningFields } from '../options/warnAboutSetup.ts';
import { observeKeys } from '../telemetry/observeKeys.ts';
import { answerRefusal } from './answerRefusal.ts';
import type { Tenant } from './createTenant.ts';
import type { Tenants } from './createTenants.ts';
import type { KeyTrail } from './keyTrail.ts';
import { embedKeyAnswer } from './readyKey.ts';
import { Refused, toRefused } from './refused.ts';

/** Answers `POST {endpoint}/keys`; nothing when the client has left before its answer. */
export type KeyEndpoint<TRequest> = (exchange: HostExchange<TRequest>) => Promise<HostAnswer | undefined>;

/** A key that may be given. */
interface Order<TViewer> {
  readonly tenant: Tenant;
  readonly viewer: TViewer;
  readonly itemId: number;
}

const jsonType = /^application\/json\s*(;|$)/i;

/** What can be said of a request before anyone is asked who sent it. */
const checkForm = (exchange: HostExchange<unknown>, allowedOrigins: ReadonlySet<string>): void => {
  if (exchange.method !== 'POST')
    throw new Refused({
      code: 'method_not_allowed',
      allow: 'POST',
      detail: 'Keys are asked for with POST.',
    });
  const foreign = checkSite(exchange, allowedOrigins);
  const problem = foreign ?? checkMarker(exchange);
  if (problem !== undefined)
    throw new Refused(
      { code: 'cross_site_request', detail: `The request is refused: ${problem}.` },
      {
        problem,
        hint:
          foreign === undefined
            ? 'Send the header with a request of your own, and let proxies pass it on.'
            : 'If the page is your own, name its origin in the option allowedOrigins.',
      },
    );
  if (!jsonType.test(exchange.header('content-type') ?? ''))
    throw new Refused({
      code: 'unsupported_media_type',
      detail: 'The Content-Type must be application/json.',
    });
};

/** Makes the {@link KeyEndpoint} of a mount: who asks, may they, how often, and only then the portal. */
export const createKeyEndpoint = <TRequest, TViewer extends Viewer>(
  options: ParsedOptions<TRequest, TViewer>,
  tenants: Tenants,
  limits: Limits | undefined,
): KeyEndpoint<TRequest> => {
  const { portal, viewer: findViewer, canView, strictRls, allowedOrigins, logger, now } = options;
  const { lifetimeMs } = options.tenant;

  const findTenant = async (
    find: (request: TRequest) => PortalConnectionInput | PromiseLike<PortalConnectionInput>,
    request: TRequest,
  ): Promise<Tenant> => tenants.of(await find(request));

  let hasWarned = false;
  /** A `canView` without a `return`, or one that gives what it found, keeps every report closed without a word. */
  const warnAboutAnswer = (answer: unknown): void => {
    if (typeof answer === 'boolean' || hasWarned) return;
    hasWarned = true;
    const seen = answer === null ? 'null' : typeof answer;
    logger.warn(
      warningFields('can_view_not_boolean'),
      `canView() gave no boolean but ${seen}: the report stays closed, because nothing but true opens one.`,
    );
  };

  /** Who asks, may they, how often: all that is decided before a key is needed. Nothing when the client has left. */
  const readOrder = async (
    exchange: HostExchange<TRequest>,
    trail: KeyTrail,
  ): Promise<Order<TViewer> | undefined> => {
    checkForm(exchange, allowedOrigins);
    const { request } = exchange;
    trail.asked = 'viewer';
    const found = findViewer(request);
    const viewer = (isThenable(found) ? await found : found) || undefined;
    if (viewer === undefined) throw new Refused({ code: 'signed_out' });
    const body = await exchange.readBody();
    if (body.kind === 'gone') return undefined;
    const reading = readKeyRequest(body);
    if ('code' in reading) throw new Refused(reading);
    const { itemId } = reading;
    trail.itemId = itemId;
    const wrong = checkViewer(viewer, strictRls);
    if (wrong !== undefined)
      throw new Refused(
        { code: 'internal_error' },
        { problem: wrong, hint: 'See the option strictRls and the callback viewer.' },
      );
    trail.asked = 'portal';
    const tenant = typeof portal === 'function' ? await findTenant(portal, request) : tenants.of(portal);
    trail.tenant = tenant;
    const waitMs = limits && (await limits.check(tenant.limiterKey, viewer.limiterKey ?? viewer.userId));
    if (waitMs !== undefined) throw new Refused({ code: 'rate_limited', retryAfterMs: waitMs });
    trail.asked = 'canView';
    const allowed = canView(viewer, itemId, request);
    // Nothing but `true` opens a report: a host in plain JavaScript may return anything.
    const isAllowed: unknown = isThenable(allowed) ? await allowed : allowed;
    trail.asked = undefined;
    if (isAllowed !== true) {
      warnAboutAnswer(isAllowed);
      throw new Refused({ code: 'report_unavailable' }, { problem: 'canView() did not return true.' });
    }
    return { tenant, viewer, itemId };
  };

  const answer = async (
    exchange: HostExchange<TRequest>,
    trail: KeyTrail,
  ): Promise<HostAnswer | undefined> => {
    try {
      const order = await readOrder(exchange, trail);
      if (order === undefined) return undefined;
      const { tenant, viewer, itemId } = order;
      const kept = tenant.cached(viewer, itemId);
      if (kept !== undefined) {
        trail.outcome = 'kept';
        return embedKeyAnswer(kept, lifetimeMs, now());
      }
      // Who left while the host was asked would never be heard to leave.
      if (exchange.isGone) return undefined;
      const flight = tenant.mint(viewer, itemId);
      exchange.onGone(() => flight.leave());
      const ready = await flight.promise;
      trail.attempts = ready.attempts;
      if (exchange.isGone) return undefined;
      trail.outcome = 'given';
      return embedKeyAnswer(ready, lifetimeMs, now());
    } catch (error) {
      if (exchange.isGone) return undefined;
      const refused = toRefused(error, trail);
      trail.outcome = refused.refusal.code;
      trail.portalStatus = refused.notes.portalStatus;
      trail.attempts = refused.notes.attempts;
      return answerRefusal(refused, trail, { logger, durationMs: now() - trail.startMs });
    }
  };

  return observeKeys(options.telemetry, answer, now);
};
