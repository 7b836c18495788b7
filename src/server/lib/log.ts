import { randomUUID } from 'node:crypto';
import { documentationUrl, type ProblemCode, type ProblemCodeEntry, problemCodes } from '@vitrine/contract';
import type { CallStats } from '@vitrine/portal-client';
import type { KeyRequestError } from './problems.ts';

/** Receives log lines. `pino()` and `console` both work. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Codes of warnings about suspicious setups; some appear only at run time. */
type SetupWarning = 'can_view_not_boolean' | 'mount_hides_path' | 'previous_secret_used' | 'clock_skew';

/** A warning's code and documentation link, as fields of a log line. */
export const warningFields = (code: SetupWarning): { readonly code: SetupWarning; readonly see: string } => ({
  code,
  see: `${documentationUrl}/guides/key-endpoint.md#warnings`,
});

const nothing = (): void => undefined;

/** Calls a function of the host whose result and errors do not matter. */
export const quietly = (call: () => unknown): void => {
  try {
    Promise.resolve(call()).catch(nothing);
  } catch {
    // There is nowhere to report it.
  }
};

/** A logger that writes nothing. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The default logger: warnings and errors on the console. */
export const defaultLogger: Logger = {
  ...silentLogger,
  // The default when no logger is configured.
  // oxlint-disable-next-line no-console
  warn: (fields, message) => console.warn(message, fields),
  // oxlint-disable-next-line no-console
  error: (fields, message) => console.error(message, fields),
};

/** A logger that never throws or rejects: a failing logger must not stop a request. */
export const safeLogger = (logger: Logger): Logger => {
  const write = (level: keyof Logger) => (fields: object, message: string) =>
    quietly(() => logger[level](fields, message));
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
};

/** Facts collected during a request, for the log, the audit hook and telemetry. */
export interface RequestRecord {
  /** Log message if it ends in a problem. */
  readonly message: string;
  /** By `performance.now()`. */
  readonly startMs: number;
  /** From the header `x-request-id`, or a new one; the same as in the log and the problem document. */
  readonly requestId: string;
  /** Whether the client or a proxy chose the ID. */
  readonly isRequestIdGiven: boolean;
  /** `issued`, `aborted` (the client disconnected), or the code of the problem. */
  outcome: 'issued' | 'aborted' | ProblemCode;
  /** Undefined if the request ended before it was known, as are the item and the tenant. */
  userId?: string | undefined;
  itemId?: number | undefined;
  tenancyName?: string | undefined;
  /** The call to the portal, if it made one. */
  stats?: CallStats | undefined;
  /** Masks the secrets of its tenant, or of all tenants before it is known, in text of the host's code. */
  redact: (text: string) => string;
}

/** Header that carries a request's ID from hop to hop. */
export const requestIdHeader = 'x-request-id';
const usableId = /^[\w.:+/=@-]{1,128}$/;

/** The record of a new request. */
export const newRecord = (
  headers: Headers,
  message: string,
  redact: RequestRecord['redact'],
): RequestRecord => {
  const given = headers.get(requestIdHeader) ?? '';
  const isRequestIdGiven = usableId.test(given);
  return {
    message,
    startMs: performance.now(),
    requestId: isRequestIdGiven ? given : randomUUID(),
    isRequestIdGiven,
    outcome: 'aborted',
    redact,
  };
};

/** What the audit hook gets about a request that ends now. */
export const auditRecordOf = (record: RequestRecord) => {
  const { requestId, userId, itemId, tenancyName, outcome, startMs } = record;
  const durationMs = Math.round(performance.now() - startMs);
  return { timeMs: Date.now(), requestId, userId, itemId, tenancyName, outcome, durationMs };
};

/**
 * The frames of an error's stack, without the message, which may quote anything and is logged redacted. Undefined if
 * there are none, or a getter of the error throws.
 */
export const stackOf = (error: unknown): string | undefined => {
  try {
    if (!(error instanceof Error) || typeof error.stack !== 'string') return undefined;
    const start = error.message === '' ? 0 : error.stack.indexOf(error.message) + error.message.length;
    const lines = error.stack.slice(start).split('\n');
    const frames = lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim());
    return frames.length === 0 ? undefined : frames.join('\n');
  } catch {
    return undefined;
  }
};

const levelOf = ({ fields: { code }, notes }: KeyRequestError): keyof Logger => {
  const { origin, severity } = notes;
  if (severity !== undefined) return severity;
  if (code === 'signed_out') return 'debug';
  // With the origin `portal`, the host lets a viewer open a report that its portal does not have.
  if (code === 'report_unavailable') return origin === 'portal' ? 'warn' : 'debug';
  const row: ProblemCodeEntry = problemCodes[code];
  return row.severity ?? (row.status < 500 ? 'info' : 'warn');
};

/** Writes the log line of a request that ended in a problem. */
export const logProblem = (logger: Logger, error: KeyRequestError, record: RequestRecord): void => {
  const { code } = error.fields;
  const { origin, problem, hint = problemCodes[code].hint, stats, portalCode } = error.notes;
  const isOfCode = origin === 'host' || origin === 'server';
  const stack = isOfCode ? stackOf(error.cause) : undefined;
  const line = {
    code,
    requestId: record.requestId,
    itemId: record.itemId,
    tenancyName: record.tenancyName,
    durationMs: Math.round(performance.now() - record.startMs),
    problem: isOfCode && problem !== undefined ? record.redact(problem) : problem,
    hint,
    ...(stats?.status !== undefined && { portalStatus: stats.status }),
    ...(stats !== undefined && { attempts: stats.attempts }),
    ...(portalCode !== undefined && { portalCode }),
    ...(stack !== undefined && { stack }),
  };
  logger[levelOf(error)](line, record.message);
};
