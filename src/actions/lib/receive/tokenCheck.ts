import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../sha256.ts';
import { createSecretsReader, type SecretPolicy, type WebhookSecrets } from './webhookSecrets.ts';

/** What a token proves. `unknown` when the secrets cannot be loaded and it is none of the last known ones. */
export type TokenVerdict = 'right' | 'wrong' | 'unknown';

/** Scheme of RFC 9110 before the credentials. */
const scheme = /^[\w!#$%&'*+.^`|~-]+[ \t]+/;

/**
 * Builds the check of the `Authorization` value: `Bearer <secret>` in any case, another scheme, or the bare secret.
 * Digests of equal length are compared, every one of them, so that the time taken says nothing about the secret.
 * `onUnavailable` is called once with the reason, each time the secrets of a function can no longer be loaded.
 */
export const createTokenCheck = (
  secrets: WebhookSecrets,
  policy: SecretPolicy = 'strict',
  onUnavailable: (reason: string) => void = () => undefined,
): ((authorization: string | undefined) => TokenVerdict) => {
  const readSecrets = createSecretsReader(secrets, policy, onUnavailable);

  return function checkToken(authorization) {
    const { expected, isUnavailable } = readSecrets();
    if (expected === undefined) return 'unknown';
    const { digests, hasSpaces } = expected;
    if (digests.length === 0) return 'right';
    const whole = (authorization ?? '').trim();
    const bare = sha256(whole.replace(scheme, ''));
    const seen = hasSpaces ? [bare, sha256(whole)] : [bare];
    let matches = 0;
    for (const candidate of seen)
      for (const secret of digests) matches += Number(timingSafeEqual(candidate, secret));
    if (matches > 0) return 'right';
    return isUnavailable ? 'unknown' : 'wrong';
  };
};
