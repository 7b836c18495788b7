import type { Check } from './check.ts';
import type { CheckContext } from './createContext.ts';
import { Difference, NotChecked } from './difference.ts';
import type { Effect } from './target.ts';

/** The result of a check. */
export type Finding =
  | { readonly outcome: 'as expected' }
  | { readonly outcome: 'differs'; readonly expected: string; readonly seen: string }
  | { readonly outcome: 'not checked'; readonly reason: string };

/** A check with its result. */
export interface CheckResult extends Pick<Check, 'title' | 'effect' | 'quotes'> {
  readonly finding: Finding;
}

const permissionFor: Readonly<Record<Effect, string>> = {
  read: '',
  mint: 'creates encrypted keys: allow it with --allow-keys',
  write: 'writes: allow it with --allow-writes',
  act: 'needs a click in a report: name a captured delivery with --webhook',
};

const stopped = 'the run was stopped';
const anAnswer = 'an answer';
const hasNoAnswer = (finding: Finding): finding is Extract<Finding, { outcome: 'differs' }> =>
  finding.outcome === 'differs' && finding.expected === anAnswer;

/** Checks without an answer, one after another, until the portal counts as down. */
const mostUnanswered = 5;

const find = async (check: Check, context: CheckContext): Promise<Finding> => {
  if (!context.target.permits.has(check.effect))
    return { outcome: 'not checked', reason: permissionFor[check.effect] };
  try {
    await check.run(context);
    return { outcome: 'as expected' };
  } catch (error) {
    if (error instanceof NotChecked) return { outcome: 'not checked', reason: error.message };
    if (error instanceof Difference)
      return { outcome: 'differs', expected: error.expected, seen: error.seen };
    if (context.signal?.aborted === true) return { outcome: 'not checked', reason: stopped };
    return {
      outcome: 'differs',
      expected: anAnswer,
      seen: error instanceof Error ? error.message : String(error),
    };
  }
};

/** Report keys have no typical form, so they are found by position. */
const keyInText = /("key"\s*:\s*")[^"]+|([?&]ev=)[^&"\s]+/g;

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const hexOf = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** Pattern of a secret: each character as it is, in JSON, or in a URL or a form, and all of it in Base64. */
const patternOf = (secret: string): string => {
  const characters = Array.from(secret, (character) => {
    const json = [
      JSON.stringify(character).slice(1, -1),
      character.replaceAll(/[^]/g, (unit) => hexOf(unit.charCodeAt(0))),
    ];
    const url = Buffer.from(character).toString('hex').replaceAll(/../g, '%$&');
    const others = character === ' ' ? ['+'] : character === '/' ? ['\\/'] : [];
    return `(?:${[character, ...json, url, ...others].map(escaped).join('|')})`;
  });
  // At each place in a group of three bytes; the groups at both ends also hold other bytes.
  const base64 = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const inner = bytes
      .toString('base64')
      .slice(offset === 0 ? 0 : 4)
      .replace(/.{0,3}=+$/, '');
    return inner === ''
      ? []
      : `[\\w+/-]{0,4}${escaped(inner).replaceAll('\\+', '[+-]').replaceAll('\\/', '[/_]')}[\\w+/-]*={0,2}`;
  });
  return [characters.join(''), ...base64.flat()].join('|');
};

const longestSeen = 400;

/** Masks every secret of the target in a text for a report, and then cuts it, so that no part of a secret remains. */
const redact = (text: string, { target }: CheckContext): string =>
  [target, target.secondTenant]
    .flatMap((tenant) => [tenant?.apiKey, tenant?.passPhrase])
    .concat(target.apiKeyWithoutPermissions, target.actions?.map(({ secret }) => secret) ?? [])
    .filter((secret) => secret !== undefined && secret !== '')
    // A secret may begin with another one.
    .toSorted((one = '', other = '') => other.length - one.length)
    .reduce<string>(
      (cleaned, secret = '') => cleaned.replaceAll(new RegExp(patternOf(secret), 'gi'), '[redacted]'),
      text,
    )
    .replace(keyInText, '$1$2[redacted]')
    .replace(new RegExp(`^([^]{${longestSeen}})[^]+$`), '$1…');

/** Runs one check; its finding contains no secret. */
export const runCheck = async (check: Check, context: CheckContext): Promise<CheckResult> => {
  const { title, effect, quotes } = check;
  const found = await find(check, context);
  if (found.outcome !== 'differs') return { title, effect, quotes, finding: found };
  const { outcome, expected, seen } = found;
  const finding = { outcome, expected: redact(expected, context), seen: redact(seen, context) };
  return { title, effect, quotes, finding };
};

/** How a run is stopped and observed. */
export interface RunOptions {
  /** Stops before the next check. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Called once, with the reason, if the run ends before its last check. */
  readonly onEndEarly?: (reason: string) => void;
}

/**
 * Runs checks one by one, because the service may have rate limits. Ends early when it is stopped, or when the service
 * no longer answers; the remaining checks are then not checked, nor are the last ones that had no answer.
 */
export const runChecks = async (
  checks: readonly Check[],
  context: CheckContext,
  { signal, onProgress, onEndEarly }: RunOptions = {},
): Promise<CheckResult[]> => {
  const results: CheckResult[] = [];
  let unanswered = 0;
  for (const [index, check] of checks.entries()) {
    const isDown = unanswered === mostUnanswered;
    if (signal?.aborted === true || isDown) {
      const seen = results.flatMap(({ finding }) => (hasNoAnswer(finding) ? finding.seen : [])).at(-1);
      const reason = isDown ? `the portal no longer answers (${seen})` : stopped;
      onEndEarly?.(reason);
      const finding = { outcome: 'not checked', reason } as const;
      return checks.map((each, at) => {
        const result = results[at];
        const isDecided = result !== undefined && !(isDown && hasNoAnswer(result.finding));
        return isDecided ? result : { title: each.title, effect: each.effect, quotes: each.quotes, finding };
      });
    }
    onProgress?.(index, checks.length);
    const result = await runCheck(check, context);
    results.push(result);
    if (hasNoAnswer(result.finding)) unanswered += 1;
    else if (result.finding.outcome !== 'not checked') unanswered = 0;
  }
  return results;
};
