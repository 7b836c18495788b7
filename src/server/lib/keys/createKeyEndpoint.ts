import type { PortalConnectionInput } from '@vitrine/portal-client';
import { checkMarker, checkSite } from '../access/checkSite.ts';
import { checkViewer } from '../access/checkViewer.ts';
import { isThenable } from '../access/isThenable.ts';
import { readKeyRequest } from '../access/readKeyRequest.ts';
import type { Viewer } from '../access/viewer.ts';
import type { HostAnswer, HostExchange } from '../http/hostExchange.ts';
import type { Limits } from '../limits/createLimits.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import { observeKeys } from '../telemetry/observeKeys.ts';
import { answerRefusal } from './answerRefusal.ts';
import type { Tenant } from './createTenant.ts';
import type { Tenants } from './createTenants.ts';
import { embedKeyAnswer } from './embedKeyAnswer.ts';
import type { KeyTrail } from './keyTrail.ts';
import { Refused, toRefused } from './refused.ts';

/** Answers `POST {endpoint}/keys`; nothing when the client has left before its answer. */
export type KeyEndpoint<TRequest> = (exchange: HostExchange<TRequest>) => Promise<HostAnswer | undefined>;

const jsonType = /^application\/json\s*(;|$)/i;

/** What can be said of a request before anyone is asked who sent it. */
const checkForm = (exchange: HostExchange<unknown>, allowedOrigins: ReadonlySet<string>): void => {
  if (exchange.method !== 'POST')
    throw new Refused({
      code: 'method_not_allowed',
      allow: 'POST',
      detail: 'Keys are asked for with POST.',
    });
  const foreign = checkSite(exchange.header, allowedOrigins) ?? checkMarker(exchange.header);
  if (foreign !== undefined)
    throw new Refused(
      { code: 'cross_site_request', detail: `The request is refused: ${foreign}.` },
      { problem: foreign, hint: 'If the page is your own, name its origin in the option allowedOrigins.' },
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

  const give = async (
    { exchange, viewer, itemId }: { exchange: HostExchange<TRequest>; viewer: TViewer; itemId: number },
    tenant: Tenant,
    trail: KeyTrail,
  ): Promise<HostAnswer | undefined> => {
    const kept = tenant.cached(viewer, itemId);
    if (kept !== undefined) {
      trail.outcome = 'kept';
      return embedKeyAnswer(tenant.connection, itemId, { minted: kept, lifetimeMs, nowMs: now() });
    }
    const ticket = tenant.mint(viewer, itemId);
    let isGone = false;
    exchange.onGone(() => {
      isGone = true;
      ticket.leave();
    });
    try {
      const minted = await ticket.promise;
      trail.attempts = minted.attempts;
      trail.outcome = isGone ? 'gone' : 'given';
      return isGone
        ? undefined
        : embedKeyAnswer(tenant.connection, itemId, { minted, lifetimeMs, nowMs: now() });
    } catch (error) {
      if (isGone) return undefined;
      throw error;
    }
  };

  const decide = async (
    exchange: HostExchange<TRequest>,
    trail: KeyTrail,
    remember: (tenant: Tenant) => void,
  ): Promise<HostAnswer | undefined> => {
    checkForm(exchange, allowedOrigins);
    const { request } = exchange;
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
    const tenant = typeof portal === 'function' ? await findTenant(portal, request) : tenants.of(portal);
    remember(tenant);
    const { tenancyName } = tenant.connection;
    trail.tenancyName = tenancyName;
    const waitMs =
      limits === undefined ? undefined : await limits.check(tenancyName, viewer.limiterKey ?? viewer.userId);
    if (waitMs !== undefined) throw new Refused({ code: 'rate_limited', retryAfterMs: waitMs });
    const allowed = canView(viewer, itemId, request);
    // Nothing but `true` opens a report: a host in plain JavaScript may return anything.
    const isAllowed: unknown = isThenable(allowed) ? await allowed : allowed;
    if (isAllowed !== true)
      throw new Refused({ code: 'report_unavailable' }, { problem: 'canView() did not return true.' });
    return await give({ exchange, viewer, itemId }, tenant, trail);
  };

  const observe = observeKeys(options.telemetry, now);

  return (exchange) =>
    observe(async (trail, startMs) => {
      let tenant: Tenant | undefined;
      try {
        return await decide(exchange, trail, (known) => {
          tenant = known;
        });
      } catch (error) {
        const refused = toRefused(error, tenant);
        trail.outcome = refused.refusal.code;
        if (refused.notes.portalStatus !== undefined) trail.portalStatus = refused.notes.portalStatus;
        if (refused.notes.attempts !== undefined) trail.attempts = refused.notes.attempts;
        return answerRefusal(refused, trail, { logger, durationMs: now() - startMs });
      }
    });
};
