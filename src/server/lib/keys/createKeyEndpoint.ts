import type { EmbedKey } from '@vitrine/contract';
import { checkForm } from '../access/checkForm.ts';
import type { HostCalls } from '../access/createHostCalls.ts';
import { hasIdentity, type Identity, identityOf } from '../access/identity.ts';
import { isThenable } from '../access/isThenable.ts';
import { readKeyRequest } from '../access/readKeyRequest.ts';
import type { MaybePromise, Viewer } from '../access/viewer.ts';
import type { BodyReading, HostExchange, HostResponse } from '../exchange/hostExchange.ts';
import { jsonResponse } from '../http/jsonResponse.ts';
import { withTimeout } from '../http/withTimeout.ts';
import type { Limits, ReachedLimit } from '../limits/createLimits.ts';
import { warningFields } from '../log/warnAboutSetup.ts';
import type { ParsedOptions } from '../options/parseVitrineOptions.ts';
import type { PortalOfRequest } from '../options/vitrineOptions.ts';
import { type ProblemFields, problemResponse } from '../problems/problemResponse.ts';
import type { KeyObserver } from '../telemetry/createKeyObserver.ts';
import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';
import type { TenantUpstreams } from '../upstream/createTenantUpstreams.ts';
import { embedKeyOf } from '../upstream/issuedKey.ts';
import { KeyRequestError, toKeyRequestError } from './keyRequestError.ts';
import { readViewer } from './readViewer.ts';
import { newRequestContext, type RequestContext, requestIdHeader } from './requestContext.ts';

/** Handles `POST {endpoint}/keys`; resolves to undefined if the client has disconnected. */
export type KeyEndpoint<TRequest> = (exchange: HostExchange<TRequest>) => Promise<HostResponse | undefined>;

/** Dependencies of a {@link KeyEndpoint}. */
export interface KeyEndpointParts<TRequest, TViewer extends Viewer> {
  readonly options: ParsedOptions<TRequest, TViewer>;
  readonly hostCalls: HostCalls;
  /** The only tenant, or the host's callback. */
  readonly portal: TenantUpstream | PortalOfRequest<TRequest>;
  readonly upstreams: TenantUpstreams;
  readonly limits: Limits | undefined;
  readonly observer: KeyObserver;
  /** Whether the mount was closed. */
  readonly isClosed: () => boolean;
}

/** The caller of a key request, and the tenant. */
interface Caller<TViewer> {
  readonly viewer: TViewer;
  readonly identity: Identity;
  readonly upstream: TenantUpstream;
}

/** A request, and its context so far. */
interface KeyRequest<TRequest> {
  readonly exchange: HostExchange<TRequest>;
  readonly context: RequestContext;
}

const rateLimited = ({ waitMs, name, size }: ReachedLimit): KeyRequestError =>
  new KeyRequestError(
    { code: 'rate_limited', retryAfterMs: waitMs },
    {
      origin: 'rules',
      problem: `This host's limit rateLimit.${name} is reached: ${size}.`,
      hint: `If the load is legitimate, raise rateLimit.${name}.`,
    },
  );

/** The key is for the copy, but `canView` receives the object: both must be the same viewer. */
const checkUnchanged = ({ viewer, identity }: Caller<Viewer>): void => {
  if (hasIdentity(viewer, identity)) return;
  throw new KeyRequestError(
    { code: 'internal_error' },
    {
      origin: 'host',
      problem: 'The object that viewer() returned changed while the request was waiting.',
      hint: 'Return an object from viewer() that other requests do not change, such as a copy of the session.',
    },
  );
};

const late: BodyReading = { kind: 'late' };

/** Creates the {@link KeyEndpoint} of a mount: checks identity, limits and access, and only then calls the portal. */
export const createKeyEndpoint = <TRequest, TViewer extends Viewer>({
  options,
  hostCalls,
  portal,
  upstreams,
  limits,
  observer,
  isClosed,
}: KeyEndpointParts<TRequest, TViewer>): KeyEndpoint<TRequest> => {
  const { allowedOrigins, bodyTimeoutMs, logger, now } = options;

  let hasWarned = false;
  /** Without a warning, a `canView` that returns nothing, or a found object, would silently deny every report. */
  const warnAboutResult = (result: unknown): void => {
    if (typeof result === 'boolean' || hasWarned) return;
    hasWarned = true;
    const seen = result === null ? 'null' : typeof result;
    logger.warn(
      warningFields('can_view_not_boolean'),
      `canView() returned ${seen}; expected true or false. Only true opens a report.`,
    );
  };

  const checkOpen = (): void => {
    if (!isClosed()) return;
    throw new KeyRequestError(
      { code: 'overloaded', retryAfterMs: 1000 },
      {
        origin: 'server',
        severity: 'info',
        problem: 'close() was called.',
        hint: 'The process is shutting down. Stop listening before you call close().',
      },
    );
  };

  const readBody = (exchange: HostExchange<TRequest>): Promise<BodyReading> | BodyReading => {
    const reading = exchange.readBody();
    return isThenable(reading) ? withTimeout(reading, bodyTimeoutMs, late) : reading;
  };

  const findUpstream = (request: TRequest): MaybePromise<TenantUpstream> => {
    if (typeof portal !== 'function') return portal;
    // An invalid connection is the host's mistake, like one that fails to load. Read it before other requests run.
    return hostCalls('portal', () => {
      const found = portal(request);
      return isThenable(found) ? found.then(upstreams.ofAwaited) : upstreams.of(found);
    });
  };

  /** Issues one key, within the limits, if the host allows it; undefined if the client has disconnected. */
  const issueKey = async (
    caller: Caller<TViewer>,
    itemId: number,
    { exchange, context }: KeyRequest<TRequest>,
  ): Promise<EmbedKey | undefined> => {
    const { viewer, identity, upstream } = caller;
    const reached = await limits?.check(upstream.limiterKey, identity.limiterKey);
    if (reached !== undefined) throw rateLimited(reached);
    checkUnchanged(caller);
    const allowed = hostCalls('canView', () => options.canView(viewer, itemId, exchange.request));
    // Only `true` opens a report: a host in plain JavaScript may return anything.
    const isAllowed: unknown = isThenable(allowed) ? await allowed : allowed;
    if (isAllowed !== true) {
      warnAboutResult(isAllowed);
      throw new KeyRequestError(
        { code: 'report_unavailable' },
        { origin: 'rules', problem: 'canView() did not return true.' },
      );
    }
    checkUnchanged(caller);
    // A disconnect during `canView` fires no event later.
    if (exchange.isGone) return undefined;
    // The connections to the portal may have been closed meanwhile.
    checkOpen();
    const flight = upstream.mint(identity, itemId, context.requestId);
    exchange.onGone(() => flight.leave());
    const issued = await flight.promise;
    context.stats = issued.stats;
    if (exchange.isGone) return undefined;
    context.outcome = 'issued';
    return embedKeyOf(issued, now());
  };

  /** Reports a problem to all observers and returns the fields for the browser. */
  const problemOf = (error: unknown, context: RequestContext): ProblemFields => {
    const redact = context.upstream?.redact ?? upstreams.redact;
    const problem = toKeyRequestError(error, { itemId: context.itemId, redact });
    context.outcome = problem.fields.code;
    context.stats = problem.notes.stats;
    return observer.problem(problem, context);
  };

  const answer = async (
    exchange: HostExchange<TRequest>,
    context: RequestContext,
  ): Promise<HostResponse | undefined> => {
    try {
      checkOpen();
      checkForm(exchange, allowedOrigins);
      const { viewer, checked } = await readViewer(exchange.request, { options, hostCalls });
      const identity = identityOf(checked);
      context.userId = identity.userId;
      const body = await readBody(exchange);
      if (body.kind === 'gone') return undefined;
      if (body.kind === 'late')
        throw new KeyRequestError(
          {
            code: 'invalid_request',
            detail: `The request body did not arrive within ${bodyTimeoutMs} ms.`,
            closesConnection: true,
          },
          { origin: 'request', problem: 'The client did not send the whole body in time.' },
        );
      const reading = readKeyRequest(body);
      if (reading.kind === 'problem') {
        const { code, detail } = reading;
        const closesConnection = code === 'request_too_large';
        throw new KeyRequestError({ code, detail, closesConnection }, { origin: 'request', problem: detail });
      }
      const upstream = await findUpstream(exchange.request);
      context.upstream = upstream;
      const caller = { viewer, identity, upstream };
      context.itemId = reading.itemId;
      const key = await issueKey(caller, reading.itemId, { exchange, context });
      return key && jsonResponse(key);
    } catch (error) {
      return exchange.isGone ? undefined : problemResponse(problemOf(error, context));
    } finally {
      observer.end(context);
    }
  };

  return async (exchange) => {
    const context = newRequestContext(exchange);
    const answered = await observer.span(context, () => answer(exchange, context));
    // Only if the client chose the ID, so that responses for absent and forbidden reports are identical.
    return answered === undefined || !context.isRequestIdGiven
      ? answered
      : { ...answered, headers: { ...answered.headers, [requestIdHeader]: context.requestId } };
  };
};
