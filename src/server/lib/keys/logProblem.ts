import { type ProblemSeverity, problemCodes } from '@vitrine/contract';
import type { LogThrottle } from '../log/createLogThrottle.ts';
import type { Logger } from '../log/logger.ts';
import { stackOf } from '../log/stackOf.ts';
import type { KeyRequestError } from './keyRequestError.ts';
import type { RequestContext } from './requestContext.ts';

/** Whether the problem is an everyday result of the host's rules, not worth a log line. */
const isRoutine = ({ fields: { code }, notes: { origin } }: KeyRequestError): boolean =>
  code === 'signed_out' || (code === 'report_unavailable' && origin === 'rules');

const levelOf = ({ fields: { code }, notes }: KeyRequestError): ProblemSeverity => {
  const { origin, severity } = notes;
  if (severity !== undefined) return severity;
  // The host lets a viewer open a report that its portal does not have.
  return code === 'report_unavailable' && origin === 'portal' ? 'warn' : problemCodes[code].severity;
};

/** Writes the log line of a key request that ended in a problem. */
export const logProblem = (
  error: KeyRequestError,
  context: RequestContext,
  { logger, throttle }: { readonly logger: Logger; readonly throttle: LogThrottle },
): void => {
  const {
    fields: { code },
    notes,
  } = error;
  const { requestId, itemId, upstream, problemMessage: message } = context;
  const tenancyName = upstream?.connection.tenancyName;
  const { origin, severity: _, problem, hint = problemCodes[code].hint, stats, portalCode } = notes;
  const stack = origin === 'host' || origin === 'server' ? stackOf(error.cause) : undefined;
  const line = {
    code,
    requestId,
    itemId,
    tenancyName,
    durationMs: Math.round(performance.now() - context.startMs),
    problem,
    hint,
    ...(stats?.status !== undefined && { portalStatus: stats.status }),
    ...(stats !== undefined && { attempts: stats.attempts }),
    ...(portalCode !== undefined && { portalCode }),
    ...(stack !== undefined && { stack }),
  };
  if (isRoutine(error)) logger.debug(line, message);
  else {
    const level = levelOf(error);
    const group = [level, code, origin, tenancyName, stats?.status, portalCode].join('|');
    // Messages that differ only in numbers have the same cause.
    const cause = `${group}|${problem?.replaceAll(/\d+/g, '#')}`;
    throttle.write({ level, fields: line, message, cause, group });
  }
};
