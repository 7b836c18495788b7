import { problemCodes } from '@vitrine/contract';
import { createRedactor } from '@vitrine/portal-client';
import { type Health, readHealth } from './health.ts';
import type { MaybePromise } from './hostCalls.ts';
import { chooseItems, listViewable } from './items.ts';
import {
  auditRecordOf,
  type Logger,
  logProblem,
  newRecord,
  quietly,
  type RequestRecord,
  requestIdHeader,
} from './log.ts';
import { parseOptions } from './parseOptions.ts';
import type { PortalCalls } from './portalCalls.ts';
import {
  ClientGoneError,
  describeThrown,
  gone,
  jsonReply,
  KeyRequestError,
  notFound,
  problemReply,
  type Reply,
  toKeyRequestError,
} from './problems.ts';
import { createRateLimit } from './rateLimit.ts';
import { type Body, type BodyReader, createBodyReader, readItemId } from './requestBody.ts';
import { checkRequest, matchRoute, type PageRoute, type Route } from './requestChecks.ts';
import { createTelemetry } from './telemetry.ts';
import { createTenants } from './tenants.ts';
import { createViewers, type Viewer, withChecked } from './viewer.ts';

/** What an adapter knows about a request beside its web-standard form. */
export interface HostContext<TRequest> {
  /** The framework's own request, for the host's callbacks. */
  readonly hostRequest: TRequest;
  /** Finds the IP address of the sender, by the host's proxy rules. */
  readonly source?: () => string | undefined;
  /** The body, if something before Vitrine has read it. Called when it is needed. */
  readonly readyBody?: () => Body | undefined;
}

/** Everything under `{endpoint}`, before any framework. */
export interface Endpoint<TRequest> {
  /** Answers a request. Never rejects. */
  readonly handle: (request: Request, context: HostContext<TRequest>) => Promise<Reply>;
  /** The route of a path; undefined if this mount does not serve it. */
  readonly routeOf: (path: string) => Route | undefined;
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

/** A request of a page. */
interface Page<TRequest> extends Pick<HostContext<TRequest>, 'hostRequest'> {
  readonly route: PageRoute;
  readonly request: Request;
  readonly reader: BodyReader;
  readonly record: RequestRecord;
}

/** What the log says when a request ends in a problem. */
const failures: Readonly<Record<PageRoute, string>> = {
  keys: 'No key issued.',
  items: 'Items not listed.',
  actions: 'Action stream not opened.',
};

/**
 * Creates the endpoint of a mount: one web-standard request in, one reply out. Throws if an option, or a fixed
 * connection, is not valid.
 */
export const createEndpoint = <TRequest, TViewer extends Viewer>(
  ...given: Parameters<typeof parseOptions<TRequest, TViewer>>
): Endpoint<TRequest> => {
  const options = parseOptions(...given);
  const { portal, logger, actions, items } = options;
  const tenants = createTenants(options.upstream);
  // Before the tenant is known
  const redact = createRedactor([]);
  const portalOf: (request: TRequest) => MaybePromise<PortalCalls> =
    typeof portal === 'function' ? tenants.openChosen(portal) : tenants.openFixed(portal);
  const viewers = createViewers(options);
  const countRequest = createRateLimit(options.rateLimit);
  const telemetry = createTelemetry(tenants.list);
  let isClosed = false;

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

  /** The steps of a request of a page, in order. What one of them throws becomes the response. */
  const takeSteps = async (page: Page<TRequest>): Promise<Reply> => {
    const { route, request, hostRequest, reader, record } = page;
    checkOpen();
    checkRequest(request, route, options.allowedOrigins);
    const known = await viewers.find(hostRequest);
    const { identity } = known;
    record.userId = identity.userId;
    if (route === 'actions') return await openStream(page, withChecked(known));
    if (route === 'keys') record.itemId = await readItemId(reader);
    const calls = await portalOf(hostRequest);
    record.tenancyName = calls.connection.tenancyName;
    record.redact = calls.redact;
    await countRequest(`${calls.limiterKey}|${identity.userId}`);
    const mayView = (itemId: number) => viewers.mayView(known, itemId, hostRequest);
    const { itemId } = record;
    if (itemId === undefined) {
      const chosen = await chooseItems(items, known, hostRequest);
      checkOpen();
      return jsonReply(await listViewable(calls, chosen, mayView));
    }
    if (!(await mayView(itemId)))
      throw new KeyRequestError(
        { code: 'report_unavailable' },
        { origin: 'rules', problem: 'canView() did not return true.' },
      );
    // The client may have left during `canView`, and the connections to the portal may have been closed.
    request.signal.throwIfAborted();
    checkOpen();
    const { requestId } = record;
    const issued = await calls.issueKey(identity, itemId, { requestId, signal: request.signal });
    record.stats = issued.stats;
    request.signal.throwIfAborted();
    record.outcome = 'issued';
    return jsonReply(issued.key);
  };

  const openStream = async ({ request, hostRequest }: Page<TRequest>, viewer: TViewer): Promise<Reply> => {
    const { signal, headers } = request;
    signal.throwIfAborted();
    const canView = async (itemId: number) => (await options.canView(viewer, itemId, hostRequest)) === true;
    const lastEventId = headers.get('last-event-id') ?? '';
    return actions?.open({ viewer, canView, lastEventId, signal }) ?? notFound;
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

  /** Answers, measures and records a request of a page. */
  const answerPage = async (page: Page<TRequest>): Promise<Reply> => {
    const { route, request, record } = page;
    const answer = () =>
      takeSteps(page).catch((error: unknown) =>
        error instanceof ClientGoneError || request.signal.aborted ? gone : reportProblem(error, record),
      );
    const reply = route === 'keys' ? await telemetry.span(record, answer) : await answer();
    if (route === 'keys') quietly(() => options.audit?.(auditRecordOf(record)));
    // Only if the client chose the ID, so that responses for absent and forbidden reports are identical.
    if (!record.isRequestIdGiven) return reply;
    return { ...reply, headers: { ...reply.headers, [requestIdHeader]: record.requestId } };
  };

  const reportSendError = (error: unknown): void => {
    const problem = `Could not send a response: ${describeThrown(error)}`;
    const failure = new KeyRequestError({ code: 'internal_error' }, { origin: 'host', problem }, error);
    reportProblem(failure, newRecord(new Headers(), 'Response not sent.', redact));
  };

  const routeOf = (path: string): Route | undefined => {
    const route = matchRoute(path, options.endpoint);
    if (route === 'items' && items === false) return undefined;
    if (route === 'webhook' && actions?.receive === undefined) return undefined;
    return route === 'actions' && actions === undefined ? undefined : route;
  };

  return {
    handle: async (request, context) => {
      const route = routeOf(new URL(request.url).pathname);
      if (route === undefined) return notFound;
      const reader = createBodyReader(request, context.readyBody);
      try {
        if (route === 'webhook')
          return (await actions?.receive?.(request, { reader, source: context.source?.() })) ?? notFound;
        const record = newRecord(request.headers, failures[route], redact);
        return await answerPage({ route, request, hostRequest: context.hostRequest, reader, record });
      } catch (error) {
        reportSendError(error);
        return problemReply({ code: 'internal_error' });
      } finally {
        reader.cancel();
      }
    },
    routeOf,
    logger,
    reportSendError,
    health: () =>
      readHealth(
        tenants.list().map(({ health }) => health()),
        isClosed ? 'close() was called.' : actions?.notReadyReason?.(),
      ),
    close: async () => {
      isClosed = true;
      await tenants.close();
      telemetry.close();
    },
  };
};
