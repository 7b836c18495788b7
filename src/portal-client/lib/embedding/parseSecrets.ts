import { kindOf } from '@vitrine/contract/service';
import { settingError } from '../errors/checkOptions.ts';
import { Secret } from '../secret.ts';

const shortSecretLength = 8;
const maxSecretLength = 4096;
const maxSecrets = 4;
const placeholder =
  /^(<.*>|\{.*\}|\$\{.*\}|change.?me.*|your[-_ ].*|x+|\*+|password|passphrase|undefined|null)$/i;
// An API key is sent in a header, so it may only contain visible ASCII (RFC 9110, 5.5).
const headerSafe = /^[\x21-\x7e]+$/;

/** Whether a value is in quotation marks. */
export const isQuoted = (value: unknown): boolean => typeof value === 'string' && /^(["'`]).*\1$/.test(value);

const codes = { apiKey: 'invalid_api_key', passPhrase: 'invalid_pass_phrase' } as const;

const checkOne = (given: unknown, setting: keyof typeof codes): Secret => {
  const value = given instanceof Secret ? given.reveal() : given;
  // The API key is sent in a header.
  const isHeader = setting === 'apiKey';
  const fail = (found: string) => settingError({ code: codes[setting], setting, found });
  if (value === undefined || value === '') throw fail(value === '' ? 'is empty' : 'is missing');
  if (typeof value !== 'string') throw fail(`must be a string; it is ${kindOf(value)}`);
  if (value.trim() === '') throw fail('contains only white space');
  if (isHeader && isQuoted(value)) throw settingError({ code: 'quoted_value', setting }, codes[setting]);
  if (isHeader && /^(ApiKey|Bearer)\s/i.test(value))
    throw fail('begins with the scheme of the header, such as "ApiKey ": pass only the key');
  if (placeholder.test(value)) throw fail('looks like a placeholder');
  if (value !== value.trim()) throw fail('begins or ends with white space');
  if (value.length > maxSecretLength) throw fail(`is longer than ${maxSecretLength} characters`);
  if (isHeader && !headerSafe.test(value)) throw fail('contains characters that are not allowed in a header');
  return new Secret(value);
};

/** Whether a secret is easy to guess, or perhaps incomplete. */
export const isShortSecret = (secret: Secret): boolean => secret.reveal().length < shortSecretLength;

/** Checks one secret: a string, or up to four of them during a rotation, newest first. */
export const parseSecrets = (value: unknown, setting: keyof typeof codes): readonly [Secret, ...Secret[]] => {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [first, ...others] = given.map((one) => checkOne(one, setting));
  if (first === undefined || others.length >= maxSecrets)
    throw settingError(
      { code: 'too_many_secrets', setting, found: String(given.length) },
      'invalid_secret_list',
    );
  return [first, ...others];
};
