import type { Logger } from '@vitrine/server';
import { createLogThrottle, defaultLogger, safely } from '@vitrine/server/internal';
import { createSecretMemory } from './createSecretMemory.ts';
import type { InboxDiagnostic } from './inbox/actionInbox.ts';
import { createHostMessageOf, type MessageOf, messageOf } from './messageOf.ts';

/**
 * Something an operator should know about actions. None of it holds a secret or what a viewer selected, except that `error` is
 * what was thrown, as it is: log {@link describeDiagnostic}, which masks.
 */
export type Diagnostic =
  /** A delivery was rejected before it was stored: it is lost, because the sender never retries. */
  | { readonly kind: 'rejected'; readonly reason: 'source'; readonly source: string | undefined }
  | {
      readonly kind: 'rejected';
      readonly reason: 'token';
      readonly source: string | undefined;
      /** True when there was no `Authorization` header at all. */
      readonly isMissing: boolean;
    }
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
  /** A part of what a handler returned reaches no viewer; the action itself does. */
  | { readonly kind: 'reply-ignored'; readonly deliveryId: string; readonly problem: string }
  /** Every attempt failed. */
  | { readonly kind: 'dead'; readonly deliveryId: string; readonly attempts: number; readonly error: unknown }
  /** The inbox itself does not answer; dispatch tries again. */
  | { readonly kind: 'inbox-failed'; readonly error: unknown }
  /** The item of an action could not be looked up, which its handler depends on; it is tried again. */
  | { readonly kind: 'lookup-failed'; readonly deliveryId: string; readonly error: unknown }
  /**
   * Who may see an action, or in which report it happened, could not be found out. Reported once for an action, which is
   * tried again while it may still be shown; a wrong answer of the host's function is final.
   */
  | { readonly kind: 'audience-failed'; readonly deliveryId: string; readonly error: unknown }
  /**
   * The portal knows no user of this number, or the action says none (`null`), so nobody gets the actions of this person.
   * Reported once for a user.
   */
  | {
      readonly kind: 'clicker-unknown';
      readonly deliveryId: string;
      readonly currentUser: number | string | null;
    }
  /** The portal knows no item with this GUID, so `canView` cannot be asked and nobody gets its actions. Reported once for a report. */
  | { readonly kind: 'item-unknown'; readonly deliveryId: string; readonly reportId: string }
  /** `canView` threw or did not finish in time, so at least one viewer did not get the action. Reported once for an action. */
  | { readonly kind: 'access-failed'; readonly deliveryId: string; readonly error: unknown }
  /** The store itself: damage, spilling, recovery. */
  | { readonly kind: 'inbox'; readonly diagnostic: InboxDiagnostic };

/** Takes diagnostics. What it throws goes nowhere: a broken log must cost no delivery. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;

/** Ends a message as a sentence. */
const sentence = (text: string): string => `${text.replace(/[.\s]+$/, '')}.`;

const describeRejection = (rejected: Extract<Diagnostic, { kind: 'rejected' }>): string => {
  switch (rejected.reason) {
    case 'token':
      return rejected.isMissing
        ? `Rejected an action webhook from ${rejected.source ?? 'an unknown address'}: it has no Authorization header. Give the Action Task the secret token.`
        : `Rejected an action webhook from ${rejected.source ?? 'an unknown address'}: its token matches none of \`secrets\`. If the token was just changed on the Action Task, add the new one.`;
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

type Quarantined = Extract<InboxDiagnostic, { readonly kind: 'quarantined' }>;

const describeLoss = ({ unreadable, mayMissMore, movedTo }: Quarantined): string => {
  if (unreadable === 0 && !mayMissMore) return '';
  const more = unreadable === 0 ? [] : [`${unreadable} more could not be read`];
  const others = mayMissMore ? ['others may be lost'] : [];
  const lost = [...more, ...others].join(', and ');
  return ` ${lost.replace(/^o/, 'O')}; \`sqlite3 ${movedTo} .recover\` may find them.`;
};

const describeInbox = (diagnostic: InboxDiagnostic): string => {
  switch (diagnostic.kind) {
    case 'quarantined':
      return `The action inbox was damaged (${diagnostic.error}). It was moved to ${diagnostic.movedTo}; a fresh one took over with ${diagnostic.salvaged} unfinished deliveries, ${diagnostic.parked} of them parked.${describeLoss(diagnostic)}`;
    case 'spilling':
      return `The action inbox cannot be written (${diagnostic.error}); deliveries go to its spill folder until it can.`;
    case 'low-disk':
      return `The disk of the action inbox has ${Math.round(diagnostic.freeBytes / 2 ** 20)} MiB left. When it is full, deliveries go to the spill folder, and are rejected when that is full too.`;
    case 'recovered':
      return diagnostic.imported === 0
        ? 'The action inbox works again.'
        : `The action inbox works again and has imported ${diagnostic.imported} spilled deliveries.`;
    case 'spill-damaged':
      return `A spill file of the action inbox is damaged and ${diagnostic.lost} deliveries in it are lost; ${diagnostic.imported} others were imported. It is kept as ${diagnostic.keptAs} for you to look at.`;
  }
};

/** Why nobody is shown the actions of a clicker. */
export const noClicker = (currentUser: number | string | null): string =>
  currentUser === null
    ? 'The webhook does not say who clicked, so nobody is shown the action'
    : `The portal knows no user ${JSON.stringify(currentUser).slice(0, 60)}, so nobody is shown their actions`;

const describe = (diagnostic: Diagnostic, hostMessageOf: MessageOf): string => {
  switch (diagnostic.kind) {
    case 'rejected':
      return describeRejection(diagnostic);
    case 'secrets-unavailable':
      return `Could not load the secrets of the action webhook (${diagnostic.reason}). The last known ones count as long as the function throws; a delivery that matches none of them is answered with 503 until this is fixed.`;
    case 'quiet':
      return `No action has arrived for ${Math.round(diagnostic.forMs / 60_000)} minutes. If that is unusual, check whether the Action Task is enabled, its token is one of \`secrets\`, and its URL still reaches this host.`;
    case 'unstored':
      return `An action webhook could not be stored and was answered with 503: ${sentence(messageOf(diagnostic.error))}`;
    case 'body-parsed-before':
      return 'A body parser runs before the action webhook, and a body it rejects is lost. Mount Vitrine before it.';
    case 'parked':
      return `Action ${diagnostic.deliveryId} is parked: ${diagnostic.reason} See \`vitrine actions show ${diagnostic.deliveryId}\`.`;
    case 'unrouted':
      return `No handler takes the actions of report ${diagnostic.reportId} (first: action ${diagnostic.deliveryId}). Add one, or "*" for the rest, then \`vitrine actions replay --state unrouted\`.`;
    case 'handler-failed':
      return `The handler of action ${diagnostic.deliveryId} failed at attempt ${diagnostic.attempt} (next in ${diagnostic.retryInMs} ms): ${sentence(hostMessageOf(diagnostic.error))}`;
    case 'reply-ignored':
      return `Viewers do not get all that the handler of action ${diagnostic.deliveryId} returned: ${diagnostic.problem}. Return nothing, or { result, message, refresh }.`;
    case 'dead':
      return `Action ${diagnostic.deliveryId} failed ${diagnostic.attempts} times and is a dead letter: ${sentence(hostMessageOf(diagnostic.error))} Fix the handler, then \`vitrine actions replay ${diagnostic.deliveryId}\`.`;
    case 'inbox-failed':
      return `The action inbox does not answer: ${sentence(messageOf(diagnostic.error))}`;
    case 'lookup-failed':
      return `Could not look up the item of action ${diagnostic.deliveryId}; it is tried again within 10 seconds: ${sentence(hostMessageOf(diagnostic.error))}`;
    case 'audience-failed':
      return `Could not find out who may see action ${diagnostic.deliveryId}, so nobody has got it yet: ${sentence(hostMessageOf(diagnostic.error))}`;
    case 'clicker-unknown':
      return `${noClicker(diagnostic.currentUser)} (first: action ${diagnostic.deliveryId}). The audience "clicker" needs viewers who are users of the portal; name others with a function.`;
    case 'item-unknown':
      return `The portal knows no item ${diagnostic.reportId}, so canView cannot be asked and nobody gets its actions (first: action ${diagnostic.deliveryId}).`;
    case 'access-failed':
      return `canView() failed for action ${diagnostic.deliveryId}, so a viewer does not get it: ${sentence(hostMessageOf(diagnostic.error))}`;
    case 'inbox':
      return describeInbox(diagnostic.diagnostic);
  }
};

const defaultMessageOf = createHostMessageOf(createSecretMemory().redact);
/** What masks the secrets of the actions that a diagnostic comes from. */
const messageOfs = new WeakMap<Diagnostic, MessageOf>();

/** One sentence for an operator: what happened and what to do. Secrets that its actions know are masked. */
export const describeDiagnostic = (diagnostic: Diagnostic): string =>
  describe(diagnostic, messageOfs.get(diagnostic) ?? defaultMessageOf);

/** What may pass by itself; the rest needs a person. */
const warnings: ReadonlySet<Diagnostic['kind']> = new Set([
  'handler-failed',
  'reply-ignored',
  'lookup-failed',
  'body-parsed-before',
  'rejected',
  'quiet',
  'unrouted',
  'clicker-unknown',
]);

/** Writes diagnostics to a log; a flood of the same is counted. */
const logTo = (logger: Logger, hostMessageOf: MessageOf): OnDiagnostic => {
  const throttle = createLogThrottle(logger);
  return (diagnostic) => {
    const message = describe(diagnostic, hostMessageOf);
    const level = warnings.has(diagnostic.kind) ? 'warn' : 'error';
    throttle.write({ level, fields: { diagnostic: diagnostic.kind }, message, cause: message });
  };
};

/** Where diagnostics go: to `onDiagnostic`, or else to `logger`. What either of them throws, at once or later, goes nowhere. */
export const safeOnDiagnostic = (
  onDiagnostic: OnDiagnostic | undefined,
  logger: Logger | undefined,
  hostMessageOf: MessageOf,
): OnDiagnostic => {
  if (onDiagnostic === undefined) return safely(logTo(logger ?? defaultLogger(), hostMessageOf));
  return safely((diagnostic: Diagnostic) => {
    messageOfs.set(diagnostic, hostMessageOf);
    return onDiagnostic(diagnostic);
  });
};
