import { timingSafeEqual } from 'node:crypto';
import { VitrineOptionsError } from '@vitrine/server';
import { sha256 } from '../sha256.ts';
import { digestsOf, type SecretPolicy, type WebhookSecrets } from './webhookSecrets.ts';

/** What a token proves. `unknown` when the secrets cannot be loaded and it is none of the last known ones. */
export type TokenVerdict = 'right' | 'wrong' | 'unknown';

/** Scheme of RFC 9110 before the credentials. */
const scheme = /^[\w!#$%&'*+.^`|~-]+[ \t]+/;

/** Why secrets could not be loaded, without the text of a foreign error, which may quote one. */
const reasonOf = (error: unknown): string => {
  if (error instanceof VitrineOptionsError) return error.message;
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
};

/**
 * Builds the check of the `Authorization` value: `Bearer <secret>` in any case, another scheme, or the bare secret.
 * Digests of equal length are compared, every one of them, so that the time taken says nothing about the secret.
 * A function of secrets is read for each delivery. While it throws, those it gave last count, because a delivery that is
 * refused is lost; once it gives a list that cannot be used, none do. The first read decides whether the host starts.
 * `onUnavailable` is called once with the reason, each time the secrets can no longer be loaded, and each time none counts any more.
 */
export const createTokenCheck = (
  secrets: WebhookSecrets,
  policy: SecretPolicy = 'strict',
  onUnavailable: (reason: string, isLastKnown: boolean) => void = () => undefined,
): ((authorization: string | undefined) => TokenVerdict) => {
  const read = typeof secrets === 'function' ? secrets : () => secrets;
  let expected: readonly Buffer[] | undefined = digestsOf(read(), policy);
  /** Absent while the secrets can be loaded; then whether those that were known last still count. */
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
    // A secret with a space in it looks like a scheme and its credentials.
    const seen = [sha256(whole), sha256(whole.replace(scheme, ''))];
    let matches = 0;
    for (const candidate of seen)
      for (const secret of expected) matches += Number(timingSafeEqual(candidate, secret));
    if (matches > 0) return 'right';
    return isLastKnown === undefined ? 'wrong' : 'unknown';
  };
};
