import type { CreatedKey, PortalError } from '@vitrine/portal-client';
import {
  type CheckResult,
  type DoctorCheck,
  type Evidence,
  failed,
  ok,
  skipped,
  warning,
} from '../doctorCheck.ts';
import type { DoctorOptions } from '../doctorOptions.ts';
import { statsOf } from '../key/attemptKey.ts';
import { describeSkew, harmfulSkewMs, isPortalAnswer, skewAdvice } from '../key/diagnose.ts';
import { type KeyCheck, keyChecks } from '../key/finding.ts';

/** Why a check has no result, if the attempt failed before it. */
const whyNotChecked = (error: PortalError): string => {
  if (isPortalAnswer(error)) return 'not checked: the portal refused the request earlier';
  return error.status === undefined
    ? 'not checked: the API did not respond'
    : `not checked: the API responded with status ${error.status}`;
};

const noticeableSkewMs = 30_000;

/** Creates a check that reads the result of the key attempt: it failed at this check, earlier, later, or not at all. */
const readFinding = (
  id: KeyCheck,
  title: string,
  passed: (options: DoctorOptions, evidence: Evidence) => CheckResult,
): DoctorCheck => ({
  id,
  title,
  run: (options, evidence) => {
    const { connection, attempt, finding } = evidence;
    if (connection === undefined) return skipped('no connection to check');
    if (attempt === undefined) return skipped('not checked: the API cannot be reached');
    if (finding?.check === id) return failed(finding.detail, finding.next);
    const hasFailed = finding !== undefined && 'error' in attempt;
    if (hasFailed && keyChecks.indexOf(finding.check) < keyChecks.indexOf(id))
      return skipped(whyNotChecked(attempt.error));
    if (finding?.isInconclusive === true && id !== 'clock')
      return skipped('unknown: the portal sends the same response for a wrong API key');
    return passed(options, evidence);
  },
});

/** Compares the portal's clock with ours: a key expires at a time, not after a duration. */
export const checkClock = readFinding('clock', 'Clock', (_options, { attempt }) => {
  const skewMs = attempt && statsOf(attempt)?.clockSkewMs;
  if (skewMs === undefined)
    return warning('the portal sends no Date header', 'Compare the clocks of both machines.');
  if (Math.abs(skewMs) > harmfulSkewMs) return failed(describeSkew(skewMs), skewAdvice);
  if (Math.abs(skewMs) > noticeableSkewMs)
    return warning(
      describeSkew(skewMs),
      'Keys expire that much too early or too late. Synchronize the clock of this machine (NTP).',
    );
  return ok(`matches the portal within ${Math.max(1, Math.round(Math.abs(skewMs) / 1000))} s`);
});

/** Checks that the tenant header arrives: its name has a dot, and some proxies drop such headers. */
export const checkTenantHeader = readFinding('tenant_header', 'Tenant header', (_options, evidence) =>
  ok(`${evidence.connection?.tenantIdHeader} arrives`),
);

const acceptedSecret = (
  which: keyof CreatedKey['secrets'],
  variable: string,
  { attempt }: Evidence,
): CheckResult => {
  const used = (attempt && statsOf(attempt)?.secrets?.[which]) ?? 0;
  return used === 0
    ? ok('accepted')
    : warning(
        `the portal refused ${variable} and accepted ${variable}_PREVIOUS`,
        `Activate the new secret in the portal, or copy it again into ${variable}.`,
      );
};

/** Checks that the portal knows the API key, and which one during a rotation. */
export const checkApiKey = readFinding('api_key', 'API key', (_options, evidence) =>
  acceptedSecret('apiKey', 'VITRINE_API_KEY', evidence),
);

/** Checks that the API key may create keys. */
export const checkPermissions = readFinding('permissions', 'Permissions', () =>
  ok('sufficient to create keys'),
);

/** Checks passphrase and tenancy name, and which passphrase applies during a rotation. */
export const checkPassPhrase = readFinding(
  'passphrase',
  'Passphrase and tenancy name',
  (_options, evidence) => acceptedSecret('passPhrase', 'VITRINE_PASSPHRASE', evidence),
);

/**
 * A command for the next step: the report requires a role, and only the portal of `npm start` is known to have this
 * one.
 */
const exampleFor = ({ isDev }: DoctorOptions): string =>
  isDev
    ? 'vitrine doctor --dev --item 1042 --role all-regions'
    : 'vitrine doctor --item 1042, and --role with an RLS role if the report requires one';

/** Checks that the portal creates a key for the given report. */
export const checkKey = readFinding('key', 'Key', (options) =>
  options.itemId === undefined
    ? skipped('no report given', `To continue, run: ${exampleFor(options)}`)
    : ok(`created for report ${options.itemId}`),
);
