import { createRedactor, rememberSecret, Secret } from '@vitrine/portal-client';
import { type Logger, stackOf } from '../log.ts';

/** What each kind of diagnostic means, and its level: `warn` if it may resolve without an operator. */
const levels = {
  /** A delivery was rejected before it was stored: it is lost, because the sender never retries. */
  rejected: 'warn',
  /** A delivery could not be stored and got 503: it is lost. */
  unstored: 'error',
  /** The inbox does not respond, or its file was replaced; reported once until it responds again. */
  'inbox-failed': 'error',
  /** A handler failed, or the lookup that it needs; another attempt follows. */
  'handler-failed': 'warn',
  /** Every attempt failed. */
  dead: 'error',
  /** A stored delivery cannot be read or used; it waits for an operator. */
  parked: 'error',
  /** No handler matches the actions of this report; they are kept as `unrouted`. Reported once per report. */
  unrouted: 'warn',
  /** An action, or a part of its reply, does not reach viewers; reported once per action, clicker or report. */
  'not-shown': 'warn',
} as const;

/** Information for operators about actions. */
export interface Diagnostic {
  readonly kind: keyof typeof levels;
  /** What happened. It contains no secrets and no selected data. */
  readonly message: string;
  /** ID of the delivery that it is about. */
  readonly deliveryId?: string;
  /** The error behind it, whose text follows the message without secrets. */
  readonly error?: unknown;
  /** What to do, at the end. */
  readonly advice?: string;
}

/** Reports a diagnostic; with `once`, only the first with this text. Returns the text of its error. */
export type Report = (diagnostic: Diagnostic, once?: string) => string;

/** Formats a thrown value as one line that is safe to log and to store. */
export type MessageOf = (thrown: unknown) => string;

/** A message as a sentence. */
export const sentence = (message: string): string => `${message.replace(/[.\s]+$/, '')}.`;

/** Formats errors of the host's code without secrets, credentials, tokens and URL queries, in at most 300 characters. */
export const createMessageOf = (secrets: readonly (string | Secret)[]): MessageOf => {
  const redact = createRedactor(secrets);
  for (const secret of secrets) rememberSecret(secret instanceof Secret ? secret.reveal() : secret);
  return (thrown) => {
    try {
      return redact(thrown instanceof Error ? thrown.message : String(thrown));
    } catch {
      // Any value can be thrown; formatting it must not fail the other deliveries.
      return 'a value that cannot be converted to a string';
    }
  };
};

/** Writes diagnostics to a logger. */
export const createReport = (logger: Logger, messageOf: MessageOf): Report => {
  const reported = new Set<string>();
  return (diagnostic, once) => {
    const { kind, message, deliveryId, error, advice = '' } = diagnostic;
    const reason = messageOf(error);
    const about = `${kind} ${once}`;
    if (once !== undefined && reported.has(about)) return reason;
    if (reported.size >= 1000) reported.clear();
    if (once !== undefined) reported.add(about);
    const stack = stackOf(error);
    const fields = { ...(deliveryId !== undefined && { deliveryId }), ...(stack !== undefined && { stack }) };
    const text = 'error' in diagnostic ? sentence(`${message}: ${reason}`) : message;
    logger[levels[kind]]({ diagnostic: kind, ...fields }, `${text} ${advice}`.trim());
    return reason;
  };
};
