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

const digestsOf = (secrets: WebhookSecrets, policy: SecretPolicy): readonly Buffer[] => {
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
  return texts.map(digest);
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
  const fixed = digestsOf(secrets, policy);
  const current = typeof secrets === 'function' ? () => digestsOf(secrets, policy) : () => fixed;

  return function isAuthorized(authorization) {
    const expected = current();
    if (expected.length === 0) return true;
    const whole = (authorization ?? '').trim();
    const seen = [digest(whole), digest(whole.replace(scheme, ''))];
    let matches = 0;
    for (const candidate of seen)
      for (const secret of expected) matches += Number(timingSafeEqual(candidate, secret));
    return matches > 0;
  };
};
