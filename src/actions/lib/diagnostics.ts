import type { Logger } from '@vitrine/server';
import { defaultLogger, safely } from '@vitrine/server/internal';
import type { InboxDiagnostic } from './inbox/actionInbox.ts';

/** Something an operator should know about actions. None of it holds a secret or what a viewer selected. */
export type Diagnostic =
  /** A delivery was rejected before it was stored: it is lost, because the sender never retries. */
  | { readonly kind: 'rejected'; readonly reason: 'token' | 'source'; readonly source: string | undefined }
  | { readonly kind: 'rejected'; readonly reason: 'too-large'; readonly limitBytes: number }
  | { readonly kind: 'rejected'; readonly reason: 'aborted' }
  | { readonly kind: 'rejected'; readonly reason: 'slow'; readonly limitMs: number }
  /**
   * The function `secrets` throws or returns a list that cannot be used; reported once until it works again. While it throws,
   * the last known secrets count; a delivery that cannot be judged is answered 503, and kept where `keepRejected` says so.
   */
  | { readonly kind: 'secrets-unavailable'; readonly reason: string }
  /** No delivery has arrived for `quietAfterMs`; reported once until the next arrives. */
  | { readonly kind: 'quiet'; readonly lastAtMs: number | undefined; readonly forMs: number }
  /** A delivery could not be made durable and was answered with 503. */
  | { readonly kind: 'unstored'; readonly error: unknown }
  /** A body parser ran before the webhook: bodies it rejects never arrive, and the original bytes are gone. */
  | { readonly kind: 'body-parsed-before' }
  /** A stored delivery cannot be understood; it waits for a person. */
  | { readonly kind: 'parked'; readonly deliveryId: string; readonly reason: string }
  /** No handler takes the actions of this report; each is kept as `unrouted`. Reported once for a report. */
  | { readonly kind: 'unrouted'; readonly deliveryId: string; readonly reportId: string }
  /** A handler failed; another attempt follows. */
  | {
      readonly kind: 'handler-failed';
      readonly deliveryId: string;
      readonly attempt: number;
      readonly retryInMs: number;
      readonly error: unknown;
    }
  /** Every attempt failed. */
  | { readonly kind: 'dead'; readonly deliveryId: string; readonly attempts: number; readonly error: unknown }
  /** The inbox itself does not answer; dispatch tries again. */
  | { readonly kind: 'inbox-failed'; readonly error: unknown }
  /** Who may see an action, or in which report it happened, could not be found out, so nobody gets it. */
  | { readonly kind: 'audience-failed'; readonly deliveryId: string; readonly error: unknown }
  /** The portal knows no item with this GUID, so `canView` cannot be asked and nobody gets its actions. Reported once for a report. */
  | { readonly kind: 'item-unknown'; readonly deliveryId: string; readonly reportId: string }
  /** `canView` threw or did not finish in time, so at least one viewer did not get the action. Reported once for an action. */
  | { readonly kind: 'access-failed'; readonly deliveryId: string; readonly error: unknown }
  /** The store itself: damage, spilling, recovery. */
  | { readonly kind: 'inbox'; readonly diagnostic: InboxDiagnostic };

/** Takes diagnostics. What it throws goes nowhere: a broken log must cost no delivery. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown error');

const describeRejection = (rejected: Extract<Diagnostic, { kind: 'rejected' }>): string => {
  switch (rejected.reason) {
    case 'token':
      return 'Rejected an action webhook: its token matches none of `secrets`. If the token was just changed on the Action Task, add the new one.';
    case 'source':
      return `Rejected an action webhook from ${rejected.source ?? 'an unknown address'}: the address is not in \`allowedSources\`.`;
    case 'too-large':
      return `Rejected an action webhook: its body is over ${rejected.limitBytes} bytes. Raise \`maxBodyBytes\` if such selections are expected.`;
    case 'aborted':
      return 'The sender of an action webhook hung up before its body had arrived.';
    case 'slow':
      return `Rejected an action webhook: its body had not arrived after ${rejected.limitMs} ms. Raise \`bodyTimeoutMs\` if the connection to the portal is that slow.`;
  }
};

const describeInbox = (diagnostic: InboxDiagnostic): string => {
  switch (diagnostic.kind) {
    case 'quarantined':
      return `The action inbox was damaged (${diagnostic.error}). It was moved to ${diagnostic.movedTo}; a fresh one took over with ${diagnostic.salvaged} unfinished deliveries, ${diagnostic.parked} of them parked.`;
    case 'spilling':
      return `The action inbox cannot be written (${diagnostic.error}); deliveries go to its spill folder until it can.`;
    case 'low-disk':
      return `The disk of the action inbox has ${Math.round(diagnostic.freeBytes / 2 ** 20)} MiB left. When it is full, deliveries go to the spill folder, and are rejected when that is full too.`;
    case 'recovered':
      return `The action inbox works again and has imported ${diagnostic.imported} spilled deliveries.`;
    case 'spill-damaged':
      return `A spill file of the action inbox is damaged and ${diagnostic.lost} deliveries in it are lost; ${diagnostic.imported} others were imported. It is kept as ${diagnostic.keptAs} for you to look at.`;
  }
};

/** One sentence for an operator: what happened and what to do. */
export const describeDiagnostic = (diagnostic: Diagnostic): string => {
  switch (diagnostic.kind) {
    case 'rejected':
      return describeRejection(diagnostic);
    case 'secrets-unavailable':
      return `Could not load the secrets of the action webhook (${diagnostic.reason}). The last known ones count as long as the function throws; a delivery that matches none of them is answered with 503 until this is fixed.`;
    case 'quiet':
      return `No action has arrived for ${Math.round(diagnostic.forMs / 60_000)} minutes. If that is unusual, check whether the Action Task is enabled, its token is one of \`secrets\`, and its URL still reaches this host.`;
    case 'unstored':
      return `An action webhook could not be stored and was answered with 503: ${messageOf(diagnostic.error)}`;
    case 'body-parsed-before':
      return 'A body parser runs before the action webhook, and a body it rejects is lost. Mount Vitrine before it.';
    case 'parked':
      return `Action ${diagnostic.deliveryId} is parked: ${diagnostic.reason} See \`vitrine actions show ${diagnostic.deliveryId}\`.`;
    case 'unrouted':
      return `No handler takes the actions of report ${diagnostic.reportId} (first: action ${diagnostic.deliveryId}). Add one, or "*" for the rest, then \`vitrine actions replay --state unrouted\`.`;
    case 'handler-failed':
      return `The handler of action ${diagnostic.deliveryId} failed at attempt ${diagnostic.attempt} (next in ${diagnostic.retryInMs} ms): ${messageOf(diagnostic.error)}`;
    case 'dead':
      return `Action ${diagnostic.deliveryId} failed ${diagnostic.attempts} times and is a dead letter: ${messageOf(diagnostic.error)} Fix the handler, then \`vitrine actions replay ${diagnostic.deliveryId}\`.`;
    case 'inbox-failed':
      return `The action inbox does not answer: ${messageOf(diagnostic.error)}`;
    case 'audience-failed':
      return `Could not find out who may see action ${diagnostic.deliveryId}, so nobody gets it: ${messageOf(diagnostic.error)}`;
    case 'item-unknown':
      return `The portal knows no item ${diagnostic.reportId}, so canView cannot be asked and nobody gets its actions (first: action ${diagnostic.deliveryId}).`;
    case 'access-failed':
      return `canView() failed for action ${diagnostic.deliveryId}, so a viewer does not get it: ${messageOf(diagnostic.error)}`;
    case 'inbox':
      return describeInbox(diagnostic.diagnostic);
  }
};

/** What may pass by itself; the rest needs a person. */
const warnings: ReadonlySet<Diagnostic['kind']> = new Set([
  'handler-failed',
  'body-parsed-before',
  'rejected',
  'quiet',
  'unrouted',
]);

const logTo =
  (logger: Pick<Logger, 'warn' | 'error'>): OnDiagnostic =>
  (diagnostic) => {
    const fields = { diagnostic: diagnostic.kind };
    if (warnings.has(diagnostic.kind)) logger.warn(fields, describeDiagnostic(diagnostic));
    else logger.error(fields, describeDiagnostic(diagnostic));
  };

/** Where diagnostics go: to `onDiagnostic`, or else to `logger`. What either of them throws, at once or later, goes nowhere. */
export const safeOnDiagnostic = (
  onDiagnostic: OnDiagnostic | undefined,
  logger: Logger | undefined,
): OnDiagnostic => safely(onDiagnostic ?? logTo(logger ?? defaultLogger()));
