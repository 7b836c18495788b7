import { type Basis, type Check, titleOf } from './check.ts';
import type { CheckContext } from './createContext.ts';
import { Difference, NotChecked } from './difference.ts';
import type { Effect } from './target.ts';

/** The result of a check. */
export type Finding =
  | { readonly outcome: 'as expected' }
  | { readonly outcome: 'differs'; readonly expected: string; readonly seen: string }
  | { readonly outcome: 'not checked'; readonly reason: string };

/** A check with its result. */
export interface CheckResult {
  readonly section: string;
  readonly title: string;
  /** Whether it is a statement of the interface or our choice. */
  readonly basis: Basis;
  /** For a choice: the row of gaps.md. */
  readonly gap?: string;
  readonly effect: Effect;
  readonly finding: Finding;
}

const permissionFor: Readonly<Record<Effect, string>> = {
  read: '',
  mint: 'creates encrypted keys: allow it with --allow-keys',
  write: 'writes: allow it with --allow-writes',
  act: 'needs a click in a report: allow it with --receive for a portal of `vitrine portal`; for another portal, name a captured delivery with --webhook',
};

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
    return {
      outcome: 'differs',
      expected: 'an answer',
      seen: error instanceof Error ? error.message : String(error),
    };
  }
};

/** Report keys have no typical form, so they are found by position. */
const keyInText = /("key"\s*:\s*")[^"]+|([?&]ev=)[^&"\s]+/g;

/** Masks every secret of the target in a text for a report. */
const redact = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length > 0)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[redacted]'), text)
    .replace(keyInText, '$1$2[redacted]');

/** Runs one check; its finding contains no secret. */
export const runCheck = async (check: Check, context: CheckContext): Promise<CheckResult> => {
  const { target } = context;
  const secrets = [
    target.apiKey,
    target.passPhrase,
    target.secondTenant?.apiKey ?? '',
    target.secondTenant?.passPhrase ?? '',
    target.apiKeyWithoutPermissions ?? '',
    ...(target.actions?.secrets ?? []),
  ];
  const finding = await find(check, context);
  return {
    section: check.section,
    title: titleOf(check),
    basis: check.basis,
    ...(check.basis === 'choice' && { gap: check.gap }),
    effect: check.effect,
    finding:
      finding.outcome === 'differs'
        ? { ...finding, expected: redact(finding.expected, secrets), seen: redact(finding.seen, secrets) }
        : finding,
  };
};

/** Runs checks one by one, because the service may have rate limits. */
export const runChecks = async (checks: readonly Check[], context: CheckContext): Promise<CheckResult[]> => {
  const results: CheckResult[] = [];
  for (const check of checks) results.push(await runCheck(check, context));
  return results;
};
