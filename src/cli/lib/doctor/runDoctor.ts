import { checkApi } from './checks/checkApi.ts';
import {
  checkApiKey,
  checkClock,
  checkKey,
  checkPassPhrase,
  checkPermissions,
  checkTenantHeader,
} from './checks/checkKey.ts';
import { checkNames, checkPrivateAddress } from './checks/checkNames.ts';
import { checkProxy } from './checks/checkProxy.ts';
import { checkCookies, checkFraming, checkReportPage } from './checks/checkReportPage.ts';
import { checkTls } from './checks/checkTls.ts';
import { checkValues, checkVariables } from './checks/checkVariables.ts';
import type { CheckResult, DoctorCheck, Evidence } from './doctorCheck.ts';
import type { DoctorOptions } from './doctorOptions.ts';

/** All checks, in dependency order. */
const checks: readonly DoctorCheck[] = [
  checkVariables,
  checkValues,
  checkProxy,
  checkNames,
  checkPrivateAddress,
  checkTls,
  checkApi,
  checkClock,
  checkTenantHeader,
  checkApiKey,
  checkPermissions,
  checkPassPhrase,
  checkKey,
  checkReportPage,
  checkFraming,
  checkCookies,
];

/** A check and its result. */
export interface DoctorLine extends CheckResult {
  readonly id: string;
  readonly title: string;
}

/** Runs the checks in order and yields each line as soon as it is known. */
export async function* runDoctor(options: DoctorOptions): AsyncGenerator<DoctorLine> {
  const evidence: Evidence = { unreachable: new Set() };
  for (const { id, title, run } of checks) yield { id, title, ...(await run(options, evidence)) };
}
