import { isPortalError, mintHint } from '@vitrine/portal-client';
import type { Refusal } from '../problems/problemAnswer.ts';
import { toRefusal } from '../problems/toRefusal.ts';
import { OverloadedError } from './createUpstreamGuard.ts';
import type { KeyTrail } from './keyTrail.ts';
import { thrownAt } from './thrownAt.ts';

/** What only the operator may read about a refusal. No secret, no key, no URL query. */
export interface RefusalNotes {
  /** What went wrong, in words. */
  readonly problem?: string | undefined;
  /** Where to look or what to change. */
  readonly hint?: string | undefined;
  readonly portalStatus?: number | undefined;
  readonly portalCode?: string | undefined;
  readonly attempts?: number | undefined;
}

/** A refusal on its way to the answer. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;
  readonly notes: RefusalNotes;

  constructor(refusal: Refusal, notes: RefusalNotes = {}) {
    super(refusal.code);
    this.refusal = refusal;
    this.notes = notes;
  }
}

/** The one place where a thrown value becomes a refusal. The trail tells what was asked, and of which tenant. */
export const toRefused = (error: unknown, { tenant, asked }: Pick<KeyTrail, 'tenant' | 'asked'>): Refused => {
  if (error instanceof Refused) return error;
  if (error instanceof OverloadedError)
    return new Refused(
      { code: 'overloaded', retryAfterMs: 1000 },
      {
        problem: error.message,
        hint: 'The portal is slower than its viewers ask. See upstream.connections.',
      },
    );
  if (isPortalError(error))
    return new Refused(toRefusal(error), {
      problem: error.message,
      hint: mintHint(error),
      portalStatus: error.status,
      portalCode: error.code,
      attempts: error.attempts,
    });
  // A callback of the host threw. Its message may quote anything, so it goes through the redactor like foreign text, and
  // stays out while there is none. Where it was thrown tells the host's developer more, and holds no data.
  const words = error instanceof Error ? `${error.name}: ${error.message}` : 'something that is no Error';
  const place = thrownAt(error);
  return new Refused(
    { code: 'internal_error' },
    {
      problem: `${asked === undefined ? 'The mount' : `${asked}()`} threw ${tenant === undefined ? nameOf(error) : tenant.redact(words)}`,
      ...(place !== undefined && { hint: `It was thrown at ${place}.` }),
    },
  );
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
