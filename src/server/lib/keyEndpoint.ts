import { type EmbedKey, problemCodes, requestMarkerHeader } from '@vitrine/contract';
import { serviceRoutes } from '@vitrine/contract/service';
import { isPortalError, type PortalConnectionInput } from '@vitrine/portal-client';
import { type Health, readHealth } from './health.ts';
import { callHost, createAwaitedCheck, inTime, waitMs } from './hostCalls.ts';
import { listViewable } from './items.ts';
import {
  type Logger,
  logProblem,
  newRecord,
  quietly,
  type RequestRecord,
  requestIdHeader,
  warningFields,
} from './log.ts';
import { checkPortal, fail, type KeyAuditRecord, type VitrineOptions } from './options.ts';
import { type ParsedOptions, parseOptions } from './parseOptions.ts';
import type { IssuedKey, PortalCalls } from './portalCalls.ts';
import {
  ClientGoneError,
  describeThrown,
  jsonReply,
  KeyRequestError,
  problemReply,
  type Reply,
  toKeyRequestError,
} from './problems.ts';
import { createRateLimits } from './rateLimit.ts';
import {
  type Body,
  type BodyReader,
  checkJson,
  checkMarker,
  checkMethod,
  checkSite,
  createBodyReader,
  matchRoute,
  maxKeyRequestBytes,
  type Route,
  readItemId,
} from './requestChecks.ts';
import { logStart, warnAboutSetup } from './setup.ts';
import { createTelemetry } from './telemetry.ts';
import { createTenants, type Tenants } from './tenants.ts';
import { checkUnchanged, type KnownViewer, readViewer, type Viewer, withChecked } from './viewer.ts';

/** What an adapter knows about a request beside its web-standard form. */
export interface HostContext<TRequest> {
  /** The framework's own request, for the host's callbacks. */
  readonly hostRequest: TRequest;
  /** IP address of the sender, by the host's proxy rules. */
  readonly source?: string | undefined;
  /** The body, if something before Vitrine has read it. Called when it is needed. */
  readonly readyBody?: () => Body | undefined;
}

/** Everything under `{endpoint}`, before any framework. */
export interface Endpoint<TRequest> {
  /** Answers a request. Never rejects. */
  readonly handle: (request: Request, context: HostContext<TRequest>) => Promise<Reply>;
  /** The route of a path; undefined if this mount does not serve it. */
  readonly routeOf: (path: string, isMarked: boolean) => Route | undefined;
  readonly logger: Logger;
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

const maxMarginMs = 30_000;

/** The part of a key that the browser gets. The margin is for clock skew and network: a tenth of the lifetime, at most 30 s. */
const embedKeyOf = (
  itemId: number,
  { key, expiresAt, requestedAt }: IssuedKey,
  { tenantUrl, lifetimeMs }: { readonly tenantUrl: string; readonly lifetimeMs: number },
): EmbedKey => {
  const { wallMs, monotonicMs } = requestedAt;
  const ageMs = Math.max(performance.now() - monotonicMs, Date.now() - wallMs);
  const leftMs = lifetimeMs - ageMs - Math.min(maxMarginMs, lifetimeMs / 10);
  return { itemId, key, tenantUrl, expiresAt, lifetimeMs: Math.max(0, Math.floor(leftMs)) };
};

/** The response for a client that has disconnected: nobody reads it, but a handler must return one. */
const gone: Reply = { status: 499, headers: {}, body: null };

const lateBody = (): KeyRequestError =>
  new KeyRequestError(
    {
      code: 'invalid_request',
      detail: `The request body did not arrive within ${waitMs} ms.`,
      closesConnection: true,
    },
    { origin: 'request', problem: 'The client did not send the whole body in time.' },
  );

/** Names the permission that listing items needs: the advice of the client is about keys. */
const explainItemsError = (error: unknown): unknown => {
  if (!isPortalError(error) || !['forbidden', 'unauthorized'].includes(error.kind)) return error;
  const { code, retryAfterMs } = toKeyRequestError(error, undefined).fields;
  const hint = `The option items needs an API key that may read items: give it the permission ${serviceRoutes.listItems.permission}.`;
  const { message: problem, stats } = error;
  return new KeyRequestError(
    { code, retryAfterMs, detail: hint },
    { origin: 'portal', problem, hint, stats },
    error,
  );
};

/**
 * Creates the endpoint of a mount: one web-standard request in, one reply out. Throws if an option, or a fixed
 * connection, is not valid.
 */
export const createEndpoint = <TRequest, TViewer extends Viewer>(
  given: VitrineOptions<TRequest, TViewer>,
): Endpoint<TRequest> => {
  const options = parseOptions(given);
  const { logger, actions, allowedOrigins, canView, items } = options;
  const tenants = createTenants(options.upstream, ({ connection, proxy }) => {
    const { tenancyName, apiBaseUrl } = connection;
    if (typeof options.portal === 'function')
      logger.info({ tenancyName, apiBaseUrl, proxy }, 'Vitrine connects to a tenant.');
  });
  const fixed = typeof options.portal === 'function' ? undefined : openFixed(tenants, options.portal);
  actions?.maskWith?.(fixed?.redact ?? tenants.redact);
  warnAboutSetup(options, fixed);
  logStart(options, fixed, { items: items !== false, actions: actions !== undefined });
  const checkLimits = createRateLimits(options.rateLimit, logger);
  const telemetry = createTelemetry(tenants.list);
  const warned = new Set<string>();
  let isClosed = false;

  const warnOnce = (code: 'can_view_not_boolean' | 'actions_off', message: string): void => {
    if (!warned.has(code)) logger.warn(warningFields(code), message);
    warned.add(code);
  };

  const checkOpen = (): void => {
    if (isClosed)
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

  const checkAwaited = createAwaitedCheck(
    'The object that it returned has stood for another viewer. Return a new object for each request, such as { userId, roleNames }.',
  );
  const findViewer = (hostRequest: TRequest): Promise<KnownViewer<TViewer>> =>
    callHost(
      'viewer',
      () => options.viewer(hostRequest),
      (found, wasAwaited) => {
        const known = readViewer(found, options.strictRls);
        checkAwaited(known.viewer, known.identity.userId, wasAwaited);
        return known;
      },
    );

  const findPortal = async (hostRequest: TRequest, record: RequestRecord): Promise<PortalCalls> => {
    const { portal } = options;
    const calls =
      typeof portal === 'function'
        ? await callHost('portal', () => portal(hostRequest), tenants.open)
        : (fixed ?? tenants.open(portal));
    record.tenancyName = calls.connection.tenancyName;
    record.redact = calls.redact;
    return calls;
  };

  /** Only `true` opens a report: a host in plain JavaScript may return anything. */
  const mayView = async (
    known: KnownViewer<TViewer>,
    itemId: number,
    request: TRequest,
  ): Promise<boolean> => {
    checkUnchanged(known);
    const given: unknown = await callHost(
      'canView',
      () => canView(known.viewer, itemId, request),
      (allowed) => allowed,
    );
    checkUnchanged(known);
    // Without a warning, a `canView` that returns nothing, or a found object, would silently deny every report.
    if (typeof given !== 'boolean')
      warnOnce(
        'can_view_not_boolean',
        `canView() returned ${given === null ? 'null' : typeof given}; expected true or false. Only true opens a report.`,
      );
    return given === true;
  };

  /** `POST {endpoint}/keys`. */
  const issueKey: Answer<TRequest> = async (request, { hostRequest }, { record, reader }) => {
    checkMethod(request, 'POST', 'Request keys with POST.');
    checkSite(request, allowedOrigins);
    checkMarker(request);
    checkJson(request);
    const known = await findViewer(hostRequest);
    record.userId = known.identity.userId;
    const body = await inTime(reader.read(maxKeyRequestBytes), lateBody);
    if (body.kind === 'gone') throw new ClientGoneError();
    const itemId = readItemId(body);
    const portal = await findPortal(hostRequest, record);
    record.itemId = itemId;
    await checkLimits(portal.limiterKey, known.identity.limiterKey);
    if (!(await mayView(known, itemId, hostRequest)))
      throw new KeyRequestError(
        { code: 'report_unavailable' },
        { origin: 'rules', problem: 'canView() did not return true.' },
      );
    // The client may have left during `canView`, and the connections to the portal may have been closed.
    request.signal.throwIfAborted();
    checkOpen();
    const { requestId } = record;
    const issued = await portal.issueKey(known.identity, itemId, { requestId, signal: request.signal });
    record.stats = issued.stats;
    request.signal.throwIfAborted();
    record.outcome = 'issued';
    const { tenantUrl } = portal.connection;
    return jsonReply(embedKeyOf(itemId, issued, { tenantUrl, lifetimeMs: options.upstream.lifetimeMs }));
  };

  /** `GET {endpoint}/items`. */
  const listItems: Answer<TRequest> = async (request, { hostRequest }, { record }) => {
    checkMethod(request, 'GET', 'Request the list of items with GET.');
    checkSite(request, allowedOrigins);
    checkMarker(request);
    const known = await findViewer(hostRequest);
    record.userId = known.identity.userId;
    const portal = await findPortal(hostRequest, record);
    await checkLimits(portal.limiterKey, known.identity.limiterKey);
    const chosen =
      typeof items === 'function'
        ? await callHost('items', () => items(known.viewer, hostRequest), readIds)
        : undefined;
    checkUnchanged(known);
    checkOpen();
    const all = await portal.listItems().catch((error: unknown) => {
      throw explainItemsError(error);
    });
    return jsonReply(await listViewable(all, chosen, (itemId) => mayView(known, itemId, hostRequest)));
  };

  /** `GET {endpoint}/actions`. */
  const streamActions = async (
    request: Request,
    { hostRequest }: HostContext<TRequest>,
    { record, open }: { readonly record: RequestRecord; readonly open: OpenStream<TViewer> },
  ): Promise<Reply> => {
    checkMethod(request, 'GET', 'Request the action stream with GET.');
    checkSite(request, allowedOrigins);
    const viewer = withChecked(await findViewer(hostRequest));
    record.userId = viewer.userId;
    const { signal, headers } = request;
    signal.throwIfAborted();
    const mayOpen = async (itemId: number) => (await canView(viewer, itemId, hostRequest)) === true;
    return open({ viewer, canView: mayOpen, lastEventId: headers.get('last-event-id') ?? '', signal });
  };

  /** Reports a problem to log and `onError`, and returns the response for the browser. */
  const reportProblem = (error: unknown, record: RequestRecord): Reply => {
    const problem = toKeyRequestError(error, record.itemId);
    const { fields, notes } = problem;
    const { code } = fields;
    record.outcome = code;
    record.stats = notes.stats;
    if (problemCodes[code].status >= 500) {
      const { requestId, userId, itemId, tenancyName } = record;
      // Errors of the host's own code arrive unwrapped.
      const context = { requestId, code, userId, itemId, tenancyName };
      quietly(() => options.onError?.(problem.cause ?? problem, context));
    }
    logProblem(logger, problem, record);
    // Responses for absent and forbidden reports must be identical, so this problem has no ID.
    return problemReply(
      code === 'report_unavailable' ? { code } : { ...fields, requestId: record.requestId },
    );
  };

  /** Runs a route and turns whatever it throws into a response. */
  const answer = async (
    request: Request,
    record: RequestRecord,
    run: () => Promise<Reply>,
  ): Promise<Reply> => {
    try {
      return await run();
    } catch (error) {
      if (error instanceof ClientGoneError || request.signal.aborted) return gone;
      return reportProblem(error, record);
    }
  };

  const answerKey = async (request: Request, context: HostContext<TRequest>, reader: BodyReader) => {
    const record = newRecord(request.headers, 'No key issued.', tenants.redact);
    const run = async () => {
      checkOpen();
      return issueKey(request, context, { record, reader });
    };
    const reply = await telemetry.span(record, () => answer(request, record, run));
    const { audit } = options;
    if (audit !== undefined) quietly(() => audit(auditRecordOf(record)));
    // Only if the client chose the ID, so that responses for absent and forbidden reports are identical.
    if (!record.isRequestIdGiven) return reply;
    return { ...reply, headers: { ...reply.headers, [requestIdHeader]: record.requestId } };
  };

  const routeOf = (path: string, isMarked: boolean): Route | undefined => {
    const route = matchRoute(path, options.endpoint);
    if (route === 'items' && items === false) return undefined;
    if (route === 'webhook' && actions?.receive === undefined) return undefined;
    if (route !== 'actions' || actions !== undefined) return route;
    if (isMarked)
      warnOnce(
        'actions_off',
        'A page listens for actions, but the option "actions" is missing. Set it to createActions(…).',
      );
    return undefined;
  };

  const handle = async (request: Request, context: HostContext<TRequest>): Promise<Reply> => {
    const route = routeOf(new URL(request.url).pathname, request.headers.has(requestMarkerHeader));
    const reader = createBodyReader(request, context.readyBody);
    const recordOf = (message: string) => newRecord(request.headers, message, tenants.redact);
    try {
      if (route === 'keys') return await answerKey(request, context, reader);
      if (route === 'items') {
        const record = recordOf('Items not listed.');
        return await answer(request, record, () => listItems(request, context, { record, reader }));
      }
      if (route === 'actions' && actions !== undefined) {
        const record = recordOf('Action stream not opened.');
        const open: OpenStream<TViewer> = (...given) => actions.open(...given);
        return await answer(request, record, () => streamActions(request, context, { record, open }));
      }
      if (route === 'webhook' && actions?.receive !== undefined)
        return await actions.receive(request, { reader, source: context.source });
      return problemReply({ code: 'route_not_found' });
    } catch (error) {
      reportSendError(error);
      return problemReply({ code: 'internal_error' });
    } finally {
      reader.cancel();
    }
  };

  const reportSendError = (error: unknown): void => {
    const problem = `Could not send a response: ${describeThrown(error)}`;
    const failure = new KeyRequestError({ code: 'internal_error' }, { origin: 'host', problem }, error);
    reportProblem(failure, newRecord(new Headers(), 'Response not sent.', tenants.redact));
  };

  return {
    handle,
    routeOf,
    logger,
    reportSendError,
    health: () => {
      const reason = isClosed ? 'close() was called.' : actions?.notReadyReason?.();
      return readHealth(
        tenants.list().map(({ health }) => health()),
        reason,
      );
    },
    close: async () => {
      isClosed = true;
      await tenants.close();
      telemetry.close();
    },
  };
};

type OpenStream<TViewer extends Viewer> = NonNullable<ParsedOptions<unknown, TViewer>['actions']>['open'];

/** Answers one route. */
type Answer<TRequest> = (
  request: Request,
  context: HostContext<TRequest>,
  parts: { readonly record: RequestRecord; readonly reader: BodyReader },
) => Promise<Reply>;

/** Checks what the option `items` returned. */
const readIds = (ids: readonly number[]): readonly number[] => {
  if (Array.isArray(ids)) return ids;
  throw new TypeError('It did not return a list of item IDs.');
};

const auditRecordOf = (record: RequestRecord): KeyAuditRecord => {
  const { requestId, userId, itemId, tenancyName, outcome, startMs } = record;
  const durationMs = Math.round(performance.now() - startMs);
  return { timeMs: Date.now(), requestId, userId, itemId, tenancyName, outcome, durationMs };
};

/** Opens the only portal of a mount; what is invalid is an options error. */
const openFixed = (tenants: Tenants, portal: PortalConnectionInput): PortalCalls => {
  checkPortal(portal);
  try {
    return tenants.open(portal);
  } catch (error) {
    if (!isPortalError(error)) throw error;
    return fail(error.code === 'invalid_proxy' ? 'invalid_proxy' : 'invalid_upstream', error.message);
  }
};
