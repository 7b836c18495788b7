import type { DoctorFacts, DoctorStep, DoctorWishes, StepResult } from './doctorStep.ts';
import { checkClock } from './steps/checkClock.ts';
import {
  checkApiKey,
  checkKey,
  checkPassPhrase,
  checkPermissions,
  checkTenantHeader,
} from './steps/checkKey.ts';
import { checkNames } from './steps/checkNames.ts';
import { checkFraming, checkReportPage } from './steps/checkReport.ts';
import { checkTls } from './steps/checkTls.ts';
import { checkValues, checkVariables } from './steps/checkVariables.ts';

/** Every check, in the order in which one builds on the other. */
export const doctorSteps: readonly DoctorStep[] = [
  checkVariables,
  checkValues,
  checkNames,
  checkTls,
  checkClock,
  checkTenantHeader,
  checkApiKey,
  checkPermissions,
  checkPassPhrase,
  checkKey,
  checkReportPage,
  checkFraming,
];

/** A check and what it found. */
export interface DoctorLine extends StepResult {
  readonly id: string;
  readonly title: string;
}

/** Runs the checks one after the other and hands each line out as soon as it is known. */
export async function* runDoctor(wishes: DoctorWishes): AsyncGenerator<DoctorLine> {
  const facts: DoctorFacts = { unreachable: new Set() };
  for (const { id, title, run } of doctorSteps) yield { id, title, ...(await run(wishes, facts)) };
}
