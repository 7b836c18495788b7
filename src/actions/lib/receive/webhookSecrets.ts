import { Secret } from '@vitrine/portal-client';
import { VitrineOptionsError } from '@vitrine/server';
import { sha256 } from '../sha256.ts';

/**
 * Secrets of the webhook: one, several while one replaces another, or a function that gives the present ones for each
 * delivery. While the function throws, those it gave last still count.
 */
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

type SecretList = Exclude<WebhookSecrets, () => unknown>;

const isSecret = (value: unknown): value is string | Secret =>
  typeof value === 'string' || value instanceof Secret;

/** A host in plain JavaScript may hand in anything, a promise for example; only what is not there means none. */
const listOf = (secrets: SecretList | undefined): readonly (string | Secret)[] => {
  const list: unknown = isSecret(secrets) ? [secrets] : (secrets ?? []);
  if (Array.isArray(list) && list.every(isSecret)) return list;
  throw new VitrineOptionsError(
    'invalid_webhook_secret',
    'The secrets of the action webhook must be a text, a list of texts, or a function that gives one of them at once, without a promise.',
  );
};

/** The secrets that count at a moment. */
export interface ExpectedSecrets {
  readonly digests: readonly Buffer[];
  /** A secret with a space in it looks like a scheme and its credentials. */
  readonly hasSpaces: boolean;
}

const expectedOf = (secrets: SecretList, policy: SecretPolicy): ExpectedSecrets => {
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
  return { digests: texts.map(sha256), hasSpaces: texts.some((text) => /[ \t]/.test(text)) };
};

/** Why secrets could not be loaded, without the text of a foreign error, which may quote one. */
const reasonOf = (error: unknown): string => {
  if (error instanceof VitrineOptionsError) return error.message;
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name;
};

/** What is known of the secrets at a moment: while they cannot be loaded, the last ones, or nothing at all. */
export interface SecretsReading {
  readonly expected: ExpectedSecrets | undefined;
  readonly isUnavailable: boolean;
}

/**
 * Reads the secrets anew for each delivery. While a function throws, those it gave last count, because a delivery that is
 * refused is lost; once it gives a list that cannot be used, none do. The first read decides whether the host starts.
 * `onUnavailable` is called once with the reason, each time they can no longer be loaded.
 */
export const createSecretsReader = (
  secrets: WebhookSecrets,
  policy: SecretPolicy,
  onUnavailable: (reason: string) => void,
): (() => SecretsReading) => {
  if (typeof secrets !== 'function') {
    const fixed = { expected: expectedOf(secrets, policy), isUnavailable: false };
    return () => fixed;
  }
  let expected: ExpectedSecrets | undefined = expectedOf(secrets(), policy);
  let isUnavailable = false;
  return () => {
    try {
      const given = secrets();
      expected = undefined;
      expected = expectedOf(given, policy);
      isUnavailable = false;
    } catch (error) {
      if (!isUnavailable) onUnavailable(reasonOf(error));
      isUnavailable = true;
    }
    return { expected, isUnavailable };
  };
};
