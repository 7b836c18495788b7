import { type ProblemCode, problemCodes } from '@vitrine/contract';
import { KeyRequestError } from '../keys/keyRequestError.ts';
import { logProblem } from '../keys/logProblem.ts';
import { newRequestContext, type RequestContext } from '../keys/requestContext.ts';
import type { LogThrottle } from '../log/createLogThrottle.ts';
import { ignoreErrors } from '../log/ignoreErrors.ts';
import type { Logger } from '../log/logger.ts';
import type { ProblemFields } from '../problems/problemResponse.ts';
import { type KeyAuditRecord, keyAuditRecord } from './keyAuditRecord.ts';
import type { KeyMetrics } from './keyMetrics.ts';

/** The context of an error with a response of 500 or above. Plain data, for logs, JSON or `structuredClone`. */
export interface ErrorContext {
  readonly requestId: string;
  readonly code: ProblemCode;
  readonly userId: string | undefined;
  readonly itemId: number | undefined;
  readonly tenancyName: string | undefined;
}

/** Observers of key requests: log, audit hook, `onError` and telemetry. */
export interface KeyObserver {
  /** Runs a request in a trace span. */
  span<TResult>(context: RequestContext, run: () => Promise<TResult>): Promise<TResult>;
  /** Reports a problem and returns the fields for the browser. */
  problem(problem: KeyRequestError, context: RequestContext): ProblemFields;
  /** Reports an error that a hook of the host threw while a response was sent; the client gets none. */
  sendError(error: unknown, redact: (text: string) => string): void;
  /** Called once for each key, when its outcome is known. */
  end(context: RequestContext): void;
}

/** Creates a {@link KeyObserver}. Errors of hooks have no effect. */
export const createKeyObserver = (options: {
  readonly logger: Logger;
  readonly throttle: LogThrottle;
  readonly metrics: KeyMetrics | undefined;
  readonly audit: ((record: KeyAuditRecord) => unknown) | undefined;
  readonly onError: ((error: unknown, context: ErrorContext) => unknown) | undefined;
  readonly now: () => number;
}): KeyObserver => {
  const { logger, throttle, metrics, now, onError } = options;
  const audit = options.audit && ignoreErrors(options.audit);
  const callOnError = (problem: KeyRequestError, context: RequestContext) => {
    const { code } = problem.fields;
    if (onError === undefined || problemCodes[code].status < 500) return;
    const { requestId, userId, itemId, upstream } = context;
    const tenancyName = upstream?.connection.tenancyName;
    // Errors of the host's own code arrive unwrapped.
    ignoreErrors((error: unknown) => onError(error, { requestId, code, userId, itemId, tenancyName }))(
      problem.cause ?? problem,
    );
  };
  const handleProblem = (problem: KeyRequestError, context: RequestContext): ProblemFields => {
    callOnError(problem, context);
    logProblem(problem, context, { logger, throttle });
    const { code } = problem.fields;
    // Responses for absent and forbidden reports must be identical, so this problem has no ID.
    return code === 'report_unavailable' ? { code } : { ...problem.fields, requestId: context.requestId };
  };
  return {
    span: (context, run) => (metrics === undefined ? run() : metrics.span(context, run)),
    problem: handleProblem,
    sendError: (error, redact) => {
      const words = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
      const problem = redact(`Could not send a response: ${words}`);
      const context = newRequestContext({ header: () => undefined }, 'Response not sent.');
      handleProblem(
        new KeyRequestError({ code: 'internal_error' }, { origin: 'host', problem }, error),
        context,
      );
    },
    end: (context) => {
      metrics?.record(context);
      audit?.(keyAuditRecord(context, now()));
    },
  };
};
