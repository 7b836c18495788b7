import { hash, timingSafeEqual } from 'node:crypto';
import { Secret } from '@vitrine/portal-client';
import { VitrineOptionsError } from '../../options/optionsError.ts';

/** Secrets of the webhook: one, several while one replaces another, or a function that gives the present ones. */
export type WebhookSecrets =
  | string
  | Secret
  | readonly (string | Secret)[]
  | (() => readonly (string | Secret)[]);

/** What the receiver accepts as a secret. */
export type SecretPolicy =
  /** At least one secret, each of at least 32 bytes. The default. */
  | 'strict'
  /** At least one secret of any length. */
  | 'allow-short'
  /** None is fine too: whoever finds the address may post. */
  | 'allow-none';

/** Shortest secret that cannot be guessed, in bytes. */
export const minSecretBytes = 32;

const textOf = (secret: string | Secret): string => (secret instanceof Secret ? secret.reveal() : secret);

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

const listOf = (secrets: WebhookSecrets): readonly (string | Secret)[] => {
  if (typeof secrets === 'function') return secrets();
  return typeof secrets === 'string' || secrets instanceof Secret ? [secrets] : secrets;
};

interface Expected {
  readonly digests: readonly Buffer[];
  /** A secret with a space in it looks like a scheme and its credentials. */
  readonly hasSpaces: boolean;
}

const expectedOf = (secrets: WebhookSecrets, policy: SecretPolicy): Expected => {
  const texts = listOf(secrets)
    .map((secret) => textOf(secret).trim())
    .filter((text) => text !== '');
  if (texts.length === 0 && policy !== 'allow-none')
    throw new VitrineOptionsError(
      'missing_webhook_secret',
      'The action webhook has no secret, so anybody could post to it. Set `secrets` (VITRINE_WEBHOOK_SECRET) to the token ' +
        'configured on the Action Task, or say `secretPolicy: "allow-none"` to run without one.',
    );
  const short = texts.find((text) => Buffer.byteLength(text) < minSecretBytes);
  if (short !== undefined && policy === 'strict')
    throw new VitrineOptionsError(
      'webhook_secret_too_short',
      `A secret of the action webhook has ${Buffer.byteLength(short)} bytes; ${minSecretBytes} are needed so that it cannot be guessed. ` +
        'Configure a longer token on the Action Task, or say `secretPolicy: "allow-short"`.',
    );
  return { digests: texts.map(digest), hasSpaces: texts.some((text) => /[ \t]/.test(text)) };
};

/** Scheme of RFC 9110 before the credentials. */
const scheme = /^[\w!#$%&'*+.^`|~-]+[ \t]+/;

/**
 * Builds the check of the `Authorization` value: `Bearer <secret>` in any case, another scheme, or the bare secret.
 * Digests of equal length are compared, every one of them, so that the time taken says nothing about the secret.
 */
export const createTokenCheck = (
  secrets: WebhookSecrets,
  policy: SecretPolicy = 'strict',
): ((authorization: string | undefined) => boolean) => {
  const fixed = expectedOf(secrets, policy);
  const current = typeof secrets === 'function' ? () => expectedOf(secrets, policy) : () => fixed;

  return function isAuthorized(authorization) {
    const { digests, hasSpaces } = current();
    if (digests.length === 0) return true;
    const whole = (authorization ?? '').trim();
    const bare = digest(whole.replace(scheme, ''));
    const seen = hasSpaces ? [bare, digest(whole)] : [bare];
    let matches = 0;
    for (const candidate of seen)
      for (const secret of digests) matches += Number(timingSafeEqual(candidate, secret));
    return matches > 0;
  };
};
