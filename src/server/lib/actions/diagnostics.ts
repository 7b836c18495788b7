import { createRedactor, type Secret } from '@vitrine/portal-client';
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
  /** A sentence: what happened and what to do. It contains no secrets and no selected data. */
  readonly message: string;
  /** ID of the delivery that it is about. */
  readonly deliveryId?: string;
  /** The original error, which may contain secrets: log `message`. */
  readonly error?: unknown;
}

/** Reports a diagnostic; with `once`, only the first with this text. */
export type Report = (diagnostic: Diagnostic, once?: string) => void;

/** Formats a thrown value as one line that is safe to log and to store. */
export type MessageOf = (thrown: unknown) => string;

/** A message as a sentence. */
export const sentence = (message: string): string => `${message.replace(/[.\s]+$/, '')}.`;

/** Masks secrets in errors of the host's code: these ones, and those of the mounts. */
export const createMessages = (secrets: readonly (string | Secret)[]) => {
  const masks = [createRedactor(secrets)];
  return {
    /** Formats an error without known secrets, credentials, tokens and URL queries, in at most 300 characters. */
    messageOf: (thrown: unknown): string => {
      try {
        const text = thrown instanceof Error ? thrown.message : String(thrown);
        return masks.reduce((shown, mask) => mask(shown), text);
      } catch {
        // Any value can be thrown; formatting it must not fail the other deliveries.
        return 'a value that cannot be converted to a string';
      }
    },
    /** Adds a function that masks secrets stored elsewhere. */
    maskWith: (mask: (text: string) => string): void => void masks.push(mask),
  };
};

/** Writes diagnostics to a logger. */
export const createReport = (logger: Logger): Report => {
  const reported = new Set<string>();
  return ({ kind, message, deliveryId, error }, once) => {
    const about = `${kind} ${once}`;
    if (once !== undefined && reported.has(about)) return;
    if (reported.size >= 1000) reported.clear();
    if (once !== undefined) reported.add(about);
    const stack = stackOf(error);
    logger[levels[kind]](
      {
        diagnostic: kind,
        ...(deliveryId !== undefined && { deliveryId }),
        ...(stack !== undefined && { stack }),
      },
      message,
    );
  };
};
