import type { Logger } from '@vitrine/server';
import { createLogThrottle, defaultLogger, ignoreErrors } from '@vitrine/server/internal';
import { LRUCache } from 'lru-cache';
import { createSecretMemory } from './createSecretMemory.ts';
import { describeInbox } from './describeInbox.ts';
import type { InboxDiagnostic } from './inbox/actionInbox.ts';

/** Formats a thrown value as one line that is safe to log and to store. */
export type MessageOf = (thrown: unknown) => string;

interface OfDelivery {
  readonly deliveryId: string;
}
interface Failure extends OfDelivery {
  readonly error: unknown;
}
type Rejection =
  | { readonly reason: 'source'; readonly source: string | undefined }
  /** `isMissing`: no `Authorization` header; `secrets`: no secrets to compare the token with. */
  | { readonly reason: 'token' | 'secrets'; readonly source: string | undefined; readonly isMissing: boolean }
  | { readonly reason: 'too-large'; readonly limitBytes: number }
  /** `excess`: what is too much, such as "is nested more than 100 levels deep". */
  | { readonly reason: 'too-complex'; readonly excess: string }
  | { readonly reason: 'aborted' }
  | { readonly reason: 'slow'; readonly limitMs: number };

const describeRejection = (rejected: Rejection): string => {
  const from = 'source' in rejected ? ` from ${rejected.source ?? 'an unknown address'}` : '';
  const begin = `Rejected an action webhook${from}:`;
  switch (rejected.reason) {
    case 'token':
      return rejected.isMissing
        ? `${begin} it has no Authorization header. Set the secret token on the Action Task.`
        : `${begin} its token does not match \`secrets\`. If you changed the token on the Action Task, add the new one to \`secrets\`.`;
    case 'secrets':
      return `${begin} the secrets are not available, so its token cannot be checked. Fix \`secrets\`.`;
    case 'source':
      return `${begin} its address is not in \`allowedSources\`.`;
    case 'too-large':
      return `${begin} its body is over ${rejected.limitBytes} bytes, or would be when decompressed. Raise \`maxBodyBytes\` if such selections are expected.`;
    case 'too-complex':
      return `${begin} its body ${rejected.excess}, which no click needs and which could block this process. Check what the Action Task sends.`;
    case 'aborted':
      return 'The sender of an action webhook closed the connection before its body had arrived.';
    case 'slow':
      return `${begin} its body had not arrived after ${rejected.limitMs} ms. Raise \`bodyTimeoutMs\` if the connection to the portal is that slow.`;
  }
};

/** Why the actions of a clicker are not delivered. */
export const noClicker = (currentUser: number | string | null): string =>
  currentUser === null
    ? 'The webhook does not say who clicked, so its action is not delivered'
    : `The portal has no user ${JSON.stringify(currentUser).slice(0, 60)}, so their actions are not delivered`;

/** Fields and message of each kind of diagnostic; `error` is the message of the thrown error, as a sentence. */
const messages = {
  /** A delivery was rejected before it was stored: it is lost, because the sender never retries. */
  rejected: describeRejection,
  /**
   * The function `secrets` throws or returns an invalid list; reported once until it works again, and once more when no
   * secret applies (`isLastKnown` is false). While it throws, the last known secrets apply; a delivery that matches
   * none gets 503.
   */
  'secrets-unavailable': ({
    reason,
    isLastKnown,
  }: {
    readonly reason: string;
    readonly isLastKnown: boolean;
  }) =>
    `Could not load the secrets of the action webhook (${reason}). Until this is fixed, ${isLastKnown ? 'the last known secrets apply, and a delivery that does not match them' : 'no secret applies, and every delivery'} gets a 503 response.`,
  /** A delivery could not be stored durably and got 503. */
  unstored: (_: { readonly error: unknown }, error: string) =>
    `Could not store an action webhook, so the click is lost (status 503): ${error} Check the disk or the database of the inbox.`,
  /** A body parser ran before the webhook: the original bytes are gone. Reported once. */
  'body-parsed-before': () =>
    'A body parser runs before the action webhook, and the bodies that it rejects are lost. Mount Vitrine before it.',
  /** A stored delivery cannot be read; it waits for an operator. */
  parked: ({ deliveryId, reason }: OfDelivery & { readonly reason: string }) =>
    `Action ${deliveryId} is parked: ${reason} See \`vitrine actions show ${deliveryId}\`.`,
  /** No handler matches the actions of this report; they are kept as `unrouted`. Reported once per report. */
  unrouted: ({ deliveryId, reportId }: OfDelivery & { readonly reportId: string }) =>
    `There is no handler for actions of report ${reportId} (first: action ${deliveryId}). Add one, or "*" for the rest, then run \`vitrine actions replay --state unrouted\`.`,
  /** A handler failed; another attempt follows. */
  'handler-failed': (
    { deliveryId, attempt, retryInMs }: Failure & { readonly attempt: number; readonly retryInMs: number },
    error: string,
  ) => `The handler of action ${deliveryId} failed in attempt ${attempt} (next in ${retryInMs} ms): ${error}`,
  /** Part of a handler's reply is not delivered; the action itself is. */
  'reply-ignored': ({ deliveryId, problem }: OfDelivery & { readonly problem: string }) =>
    `Part of the handler's reply to action ${deliveryId} is not delivered: ${problem}. Return nothing, or { result, message, refresh }.`,
  /** Every attempt failed. */
  dead: ({ deliveryId, attempts }: Failure & { readonly attempts: number }, error: string) =>
    `Action ${deliveryId} failed ${attempts} times and is a dead letter: ${error} Fix the handler, then run \`vitrine actions replay ${deliveryId}\`.`,
  /** The inbox does not respond; dispatch retries. */
  'inbox-failed': (_: { readonly error: unknown }, error: string) =>
    `The action inbox does not respond: ${error}`,
  /** The item lookup that a handler depends on failed; it is retried. */
  'lookup-failed': ({ deliveryId }: Failure, error: string) =>
    `Could not look up the item of action ${deliveryId}; retrying within 10 seconds: ${error}`,
  /**
   * The lookup of an action's audience or report failed. Reported once per action; retried while the action is recent
   * enough to deliver. An invalid result of the host's function is final.
   */
  'audience-failed': ({ deliveryId }: Failure, error: string) =>
    `Could not determine who may see action ${deliveryId}, so it is not delivered yet: ${error}`,
  /** The portal has no user with this ID, or the action has none (`null`). Reported once per user. */
  'clicker-unknown': ({
    deliveryId,
    currentUser,
  }: OfDelivery & { readonly currentUser: number | string | null }) =>
    `${noClicker(currentUser)} (first: action ${deliveryId}). The audience "clicker" requires viewers to be users of the portal; for others, use a function.`,
  /** The portal has no item with this GUID, so its actions are not delivered. Reported once per report. */
  'item-unknown': ({ deliveryId, reportId }: OfDelivery & { readonly reportId: string }) =>
    `The portal has no item ${reportId}, so canView cannot decide and its actions are not delivered (first: action ${deliveryId}).`,
  /**
   * `canView` threw or did not finish in time, so at least one viewer did not get the action. Reported once per action.
   */
  'access-failed': ({ deliveryId }: Failure, error: string) =>
    `canView() failed for action ${deliveryId}, so it is not delivered to a viewer: ${error}`,
  /** A browser polls because a proxy buffers its stream: actions arrive seconds late. Reported once. */
  'stream-buffered': () =>
    'A proxy buffers the action stream, so a browser polls and receives actions seconds late. Turn off buffering and compression for {endpoint}/actions.',
  /** The store itself: loss, recovery, a disk that is nearly full. */
  inbox: ({ diagnostic }: { readonly diagnostic: InboxDiagnostic }) => describeInbox(diagnostic),
};

type Messages = typeof messages;
type FieldsOf<TMessage> = TMessage extends (fields: infer TFields, error: string) => string ? TFields : never;

/**
 * Information for operators about actions. It contains no secrets and no selected data, except in `error`, which is the
 * original value: log {@link describeDiagnostic}, which masks it.
 */
export type Diagnostic = {
  [TKind in keyof Messages]: { readonly kind: TKind } & FieldsOf<Messages[TKind]>;
}[keyof Messages];

/** Kinds that may resolve without an operator. */
const warnings: ReadonlySet<Diagnostic['kind']> = new Set([
  'handler-failed',
  'reply-ignored',
  'lookup-failed',
  'body-parsed-before',
  'rejected',
  'unrouted',
  'clicker-unknown',
  'stream-buffered',
]);
/** The field that identifies repeated diagnostics of a kind. */
const onceFor: Readonly<Partial<Record<Diagnostic['kind'], string>>> = {
  'body-parsed-before': 'kind',
  'stream-buffered': 'kind',
  unrouted: 'reportId',
  'item-unknown': 'reportId',
  'clicker-unknown': 'currentUser',
  'audience-failed': 'deliveryId',
  'access-failed': 'deliveryId',
};
const maxReported = 1000;

/** Receives diagnostics. Errors that it throws are ignored, so that a broken log loses no delivery. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;

/** The function that masks secrets, by diagnostic. */
const messageOfs = new WeakMap<Diagnostic, MessageOf>();
const defaultMessageOf = createSecretMemory().messageOf;

/** A sentence for operators: what happened and what to do. Known secrets are masked. */
export const describeDiagnostic = (diagnostic: Diagnostic): string => {
  const messageOf = messageOfs.get(diagnostic) ?? defaultMessageOf;
  const error = 'error' in diagnostic ? `${messageOf(diagnostic.error).replace(/[.\s]+$/, '')}.` : '';
  // The message of a kind takes its fields.
  const describe = messages[diagnostic.kind] as (fields: Diagnostic, error: string) => string;
  return describe(diagnostic, error);
};

/** Writes diagnostics to a log, and counts repeated ones. */
const logTo = (logger: Logger): OnDiagnostic => {
  const throttle = createLogThrottle(logger);
  return (diagnostic) => {
    const message = describeDiagnostic(diagnostic);
    const level = warnings.has(diagnostic.kind) ? 'warn' : 'error';
    throttle.write({ level, fields: { diagnostic: diagnostic.kind }, message, cause: message });
  };
};

/** Passes diagnostics to `onDiagnostic`, or else to `logger`. Ignores errors of both, also asynchronous ones. */
export const safeOnDiagnostic = (
  {
    onDiagnostic,
    logger = defaultLogger(),
  }: { readonly onDiagnostic?: OnDiagnostic; readonly logger?: Logger },
  messageOf: MessageOf,
): OnDiagnostic => {
  const reported = new LRUCache<string, true>({ max: maxReported });
  const write = onDiagnostic ?? logTo(logger);
  return ignoreErrors((diagnostic: Diagnostic) => {
    const { kind } = diagnostic;
    const field = onceFor[kind];
    const about = `${kind} ${field && String(Reflect.get(diagnostic, field))}`;
    if (field !== undefined && reported.get(about)) return undefined;
    if (field !== undefined) reported.set(about, true);
    messageOfs.set(diagnostic, messageOf);
    return write(diagnostic);
  });
};
