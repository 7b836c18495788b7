import { timingSafeEqual } from 'node:crypto';
import { VitrineOptionsError } from '@vitrine/server';
import { sha256 } from '../sha256.ts';
import { digestsOf, type SecretPolicy } from './webhookSecrets.ts';

/** The result of a token check. `unknown`: the secrets cannot be loaded and the last known ones do not match. */
export type TokenResult = 'right' | 'wrong' | 'unknown';

/** The scheme before the credentials (RFC 9110). */
const scheme = /^[\w!#$%&'*+.^`|~-]+[ \t]+/;

/** Why secrets could not be loaded, without the text of a third-party error, which may quote a secret. */
const reasonOf = (error: unknown): string => {
  if (error instanceof VitrineOptionsError) return error.message;
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
};

/**
 * Creates the check of the `Authorization` value: `Bearer <secret>` in any case, another scheme, or the bare secret. It
 * compares all digests, of equal length, so that the time taken reveals nothing about the secret. `read` is called for
 * each delivery. While it throws, the last known secrets apply, because a rejected delivery is lost; if it returns an
 * invalid list, none apply. The first call decides whether the host starts. `onUnavailable` is called once with the
 * reason when the secrets can no longer be loaded, and when none applies anymore.
 */
export const createTokenCheck = (
  read: () => readonly unknown[],
  policy: SecretPolicy = 'strict',
  onUnavailable: (reason: string, isLastKnown: boolean) => void,
): ((authorization: string | undefined) => TokenResult) => {
  let expected: readonly Buffer[] | undefined = digestsOf(read(), policy);
  /** Whether the last known secrets still apply; undefined while the secrets can be loaded. */
  let isLastKnown: boolean | undefined;
  const reload = (): void => {
    try {
      const given = read();
      expected = undefined;
      expected = digestsOf(given, policy);
      isLastKnown = undefined;
    } catch (error) {
      const before = isLastKnown;
      isLastKnown = expected !== undefined;
      if (isLastKnown !== before) onUnavailable(reasonOf(error), isLastKnown);
    }
  };

  return function checkToken(authorization) {
    reload();
    if (expected === undefined) return 'unknown';
    if (expected.length === 0) return 'right';
    const whole = (authorization ?? '').trim();
    // A secret with a space looks like a scheme and its credentials.
    const seen = [sha256(whole), sha256(whole.replace(scheme, ''))];
    let matches = 0;
    for (const candidate of seen)
      for (const secret of expected) matches += Number(timingSafeEqual(candidate, secret));
    if (matches > 0) return 'right';
    return isLastKnown === undefined ? 'wrong' : 'unknown';
  };
};
