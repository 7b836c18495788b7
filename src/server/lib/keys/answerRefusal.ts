import { randomUUID } from 'node:crypto';
import type { HostAnswer } from '../http/hostExchange.ts';
import type { Logger } from '../log/logger.ts';
import { problemAnswer } from '../problems/problemAnswer.ts';
import type { KeyTrail } from './keyTrail.ts';
import type { Refused } from './refused.ts';

const levelOf = (code: string): 'error' | 'warn' | 'debug' => {
  if (code === 'internal_error' || code === 'portal_refused') return 'error';
  if (code.startsWith('portal_') || code === 'overloaded' || code === 'cross_site_request') return 'warn';
  return 'debug';
};

/** Tells the operator more and the browser less. Both get the same request ID. */
export const answerRefusal = (
  { refusal, notes }: Refused,
  trail: KeyTrail,
  { logger, durationMs }: { logger: Logger; durationMs: number },
): HostAnswer => {
  const { code } = refusal;
  const requestId = randomUUID();
  const { itemId, tenant } = trail;
  const tenancyName = tenant?.connection.tenancyName;
  logger[levelOf(code)](
    { code, requestId, itemId, tenancyName, durationMs, ...notes },
    'A key could not be given.',
  );
  // Absent and forbidden reports must not differ in a single byte, so this one answer carries no ID.
  return problemAnswer(code === 'report_unavailable' ? { code } : { ...refusal, requestId });
};
