import { Secret } from '@vitrine/portal-client';
import { fail } from '@vitrine/server/internal';
import { sha256 } from '../sha256.ts';

/**
 * Secrets of the webhook: one, several during a rotation, or a function that returns the current ones for each
 * delivery. While the function throws, the last known secrets apply.
 */
export type WebhookSecrets =
  | string
  | Secret
  | readonly (string | Secret)[]
  | (() => readonly (string | Secret)[]);

/** The secrets that the receiver accepts. */
export type SecretPolicy =
  /** At least one secret, each of at least 32 bytes. The default. */
  | 'strict'
  /** At least one secret of any length. */
  | 'allow-short'
  /** Also allows no secret: then anyone who knows the URL can post. */
  | 'allow-none';

/** Minimum length of a secret that cannot be guessed, in bytes. */
const minSecretBytes = 32;

const isSecret = (value: unknown): value is string | Secret =>
  typeof value === 'string' || value instanceof Secret;

/** Plain JavaScript may pass anything, such as a promise. */
const textsOf = (secrets: readonly unknown[]): readonly string[] => {
  if (!secrets.every(isSecret))
    return fail(
      'invalid_webhook_secret',
      'The secrets of the action webhook must be a string, an array of strings, or a synchronous function that returns one of them.',
    );
  return secrets
    .map((secret) => (secret instanceof Secret ? secret.reveal() : secret).trim())
    .filter((text) => text !== '');
};

/** Digests of the valid secrets. */
export const digestsOf = (secrets: readonly unknown[], policy: SecretPolicy): readonly Buffer[] => {
  const texts = textsOf(secrets);
  if (texts.length === 0 && policy !== 'allow-none')
    fail(
      'missing_webhook_secret',
      'The action webhook has no secret, so anyone could post to it. Set `secrets` (VITRINE_WEBHOOK_SECRET) to the token ' +
        'configured on the Action Task, or set `secretPolicy: "allow-none"` to run without one.',
    );
  const short = texts.find((text) => Buffer.byteLength(text) < minSecretBytes);
  if (short !== undefined && policy === 'strict')
    fail(
      'webhook_secret_too_short',
      `A secret of the action webhook has ${Buffer.byteLength(short)} bytes; ${minSecretBytes} are required so that it cannot be guessed. ` +
        'Configure a longer token on the Action Task, or set `secretPolicy: "allow-short"`.',
    );
  return texts.map(sha256);
};
