import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '@vitrine/contract';
import type { CallStats } from '@vitrine/portal-client';
import type { HostExchange } from '../exchange/hostExchange.ts';
import type { TenantUpstream } from '../upstream/createTenantUpstream.ts';

/** How a request for one key ended: a new key, a client that disconnected, or the code of the problem. */
export type KeyOutcome = 'issued' | 'aborted' | ProblemCode;

/** Facts collected during a key request, for the log, the audit hook and telemetry. */
export interface RequestContext {
  /** Log message if it ends in a problem. */
  readonly problemMessage: string;
  /** By `performance.now()`. */
  readonly startMs: number;
  /** Of the header `x-request-id`, or a new one. */
  readonly requestId: string;
  /** Whether the client or a proxy chose the ID. */
  readonly isRequestIdGiven: boolean;
  outcome: KeyOutcome;
  userId: string | undefined;
  itemId: number | undefined;
  upstream: TenantUpstream | undefined;
  /** The call to the portal, if it made one. */
  stats: CallStats | undefined;
}

/** Header that carries a request's ID from hop to hop. */
export const requestIdHeader = 'x-request-id';
const usableId = /^[\w.:+/=@-]{1,128}$/;

/** Creates the context of a new request. */
export const newRequestContext = (
  exchange: Pick<HostExchange<never>, 'header'>,
  problemMessage = 'No key issued.',
): RequestContext => {
  const given = exchange.header(requestIdHeader);
  const isRequestIdGiven = given !== undefined && usableId.test(given);
  return {
    problemMessage,
    startMs: performance.now(),
    requestId: isRequestIdGiven ? given : randomUUID(),
    isRequestIdGiven,
    outcome: 'aborted',
    userId: undefined,
    itemId: undefined,
    upstream: undefined,
    stats: undefined,
  };
};
