import type { ProblemSeverity } from '@vitrine/contract';
import { type CallStats, isPortalError } from '@vitrine/portal-client';
import { HostCallbackError } from '../access/createHostCalls.ts';
import { problemFieldsOf } from '../problems/problemFieldsOf.ts';
import type { ProblemFields } from '../problems/problemResponse.ts';
import { QueueRejectionError } from '../upstream/createSemaphore.ts';

/** Who caused a problem: the request, the host's own rules, the host's code, this package, or the portal. */
export type ProblemOrigin = 'request' | 'rules' | 'host' | 'server' | 'portal';

/** Details of a problem, for the operator only. No secret, no key, no URL query. */
export interface ProblemNotes {
  readonly origin: ProblemOrigin;
  /** Description of the problem. */
  readonly problem?: string | undefined;
  /** Where to look or what to change. */
  readonly hint?: string | undefined;
  /** Log level, if the default of the code does not fit. */
  readonly severity?: ProblemSeverity | undefined;
  /** The call to the portal that failed. */
  readonly stats?: CallStats | undefined;
  readonly portalCode?: string | undefined;
}

/** A key request that failed. */
export class KeyRequestError extends Error {
  override readonly name = 'KeyRequestError';
  /** Fields for the browser. */
  readonly fields: ProblemFields;
  readonly notes: ProblemNotes;
  /** The original error of the host's code or the portal. */
  override readonly cause: unknown;

  constructor(fields: ProblemFields, notes: ProblemNotes, cause?: unknown) {
    super(notes.problem ?? fields.code);
    this.fields = fields;
    this.notes = notes;
    this.cause = cause;
  }
}

const describe = (error: unknown): string => {
  try {
    return error instanceof Error
      ? `${error.name}: ${error.message}`
      : `something that is not an Error (${typeof error})`;
  } catch {
    return 'an error that cannot be read';
  }
};

/** Converts a thrown value to a {@link KeyRequestError}. `redact` masks secrets in third-party text. */
export const toKeyRequestError = (
  error: unknown,
  context: { readonly itemId: number | undefined; readonly redact: (text: string) => string },
): KeyRequestError => {
  if (error instanceof KeyRequestError) return error;
  if (error instanceof HostCallbackError)
    return new KeyRequestError(
      { code: 'internal_error' },
      { origin: 'host', problem: `${error.callback}() threw ${context.redact(describe(error.cause))}` },
      error.cause,
    );
  if (error instanceof QueueRejectionError)
    return error.reason === 'queue_full'
      ? new KeyRequestError(
          { code: 'overloaded', retryAfterMs: 1000 },
          { origin: 'server', problem: 'Too many calls are waiting for a connection to the portal.' },
        )
      : new KeyRequestError(
          { code: 'portal_timeout' },
          {
            origin: 'server',
            problem: 'The viewer waited too long for a free connection to the portal.',
            hint: 'The portal responds more slowly than requests arrive. See upstream.connections and upstream.maxQueue.',
          },
        );
  if (isPortalError(error))
    return new KeyRequestError(
      problemFieldsOf(error),
      {
        origin: 'portal',
        problem:
          error.kind === 'not_found'
            ? `The portal has no item ${context.itemId}. ${error.message}`
            : error.message,
        hint: error.hint,
        stats: error.stats,
        portalCode: error.code,
      },
      error,
    );
  return new KeyRequestError(
    { code: 'internal_error' },
    { origin: 'server', problem: `The key endpoint threw ${context.redact(describe(error))}` },
    error,
  );
};
