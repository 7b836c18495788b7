import type { Check } from './check.ts';
import type { CheckContext } from './createContext.ts';
import { Difference, NotChecked } from './difference.ts';
import { findSilence } from './findMistake.ts';
import type { Effect, Target } from './target.ts';

/** The result of a check. */
export type Finding =
  | { readonly outcome: 'as expected' }
  | { readonly outcome: 'differs'; readonly expected: string; readonly seen: string }
  | { readonly outcome: 'not checked'; readonly reason: string };

/** A check with its result. */
export interface CheckResult extends Omit<Check, 'run'> {
  readonly finding: Finding;
}

const permissionFor: Readonly<Record<Effect, string>> = {
  read: '',
  mint: 'creates encrypted keys: allow it with --allow-keys',
  write: 'writes: allow it with --allow-writes',
};

const notChecked = (reason: string): Finding => ({ outcome: 'not checked', reason });
const stopped = 'the run was stopped';
const anAnswer = 'an answer';

/** Runs a check; its finding contains no secret. */
const find = async (check: Check, context: CheckContext): Promise<Finding> => {
  if (!context.target.permits.has(check.effect)) return notChecked(permissionFor[check.effect]);
  try {
    await check.run(context);
    return { outcome: 'as expected' };
  } catch (error) {
    if (error instanceof NotChecked) return notChecked(error.message);
    if (context.signal?.aborted === true && !(error instanceof Difference)) return notChecked(stopped);
    const { expected = anAnswer, seen = Object(error).message }: Partial<Difference> = Object(error);
    const redacted = { expected: redact(expected, context.target), seen: redact(seen, context.target) };
    return { outcome: 'differs', ...redacted };
  }
};

/** Report keys have no typical form, so they are found by position. */
const keyInText = /("key"\s*:\s*")[^"]+|([?&]ev=)[^&"\s]+/g;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The forms in which a portal may repeat a secret: as it is, in JSON, in a URL, in a form, and in Base64. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  new URLSearchParams({ of: secret }).toString().slice('of='.length),
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
];

const longestSeen = 400;

/** Masks every secret of the target in a text for a report, and then cuts it, so that no part of a secret remains. */
const redact = (text: string, target: Target): string =>
  [target, target.secondTenant]
    .flatMap((tenant) => [tenant?.apiKey, tenant?.passPhrase])
    .concat(target.apiKeyWithoutPermissions, target.actions?.map(({ secret }) => secret) ?? [])
    .filter((secret) => secret !== undefined && secret !== '')
    // A secret may begin with another one.
    .toSorted((one = '', other = '') => other.length - one.length)
    .reduce<string>(
      (cleaned, secret = '') =>
        cleaned.replaceAll(new RegExp(formsOf(secret).map(escaped).join('|'), 'gi'), '[redacted]'),
      // Some services write a character of JSON or of a path by its code.
      text
        .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
        .replaceAll('\\/', '/'),
    )
    .replace(keyInText, '$1$2[redacted]')
    .replace(new RegExp(`^([^]{${longestSeen}})[^]+$`), '$1…');

/** How a run is stopped and observed. */
export interface RunOptions {
  /** Stops before the next check. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called once, with the reason, if the run ends before its last check. */
  readonly onEndEarly?: (reason: string) => void;
}

/**
 * Runs checks one by one, because the service may have rate limits. Ends early when it is stopped, or when an address of
 * the service no longer answers; the remaining checks are then not checked, nor is the one that had no answer.
 */
export const runChecks = async (
  checks: readonly Check[],
  context: CheckContext,
  { signal, onProgress, onEndEarly }: RunOptions = {},
): Promise<CheckResult[]> => {
  const results: CheckResult[] = [];
  let endReason: string | undefined;
  for (const check of checks) {
    const { title, effect, quote } = check;
    if (signal?.aborted === true) endReason ??= stopped;
    else onProgress?.(results.length, checks.length);
    let finding = endReason === undefined ? await find(check, context) : notChecked(endReason);
    if (finding.outcome === 'differs' && finding.expected === anAnswer) {
      const silence = await findSilence(context.target, context.signal);
      if (silence !== undefined) {
        endReason = `no portal responds any longer at ${silence}`;
        finding = notChecked(endReason);
      }
    }
    results.push({ title, effect, quote, finding });
  }
  if (endReason !== undefined) onEndEarly?.(endReason);
  return results;
};
