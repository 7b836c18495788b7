import type { Check } from '../check.ts';
import { actionChecks } from './actionChecks.ts';
import { auditChecks } from './auditChecks.ts';
import { authenticationChecks } from './authenticationChecks.ts';
import { actionChoices } from './choices/actionChoices.ts';
import { auditChoices } from './choices/auditChoices.ts';
import { contentChoices } from './choices/contentChoices.ts';
import { errorChoices } from './choices/errorChoices.ts';
import { structureChoices } from './choices/structureChoices.ts';
import { userChoices } from './choices/userChoices.ts';
import { embeddingAccessChecks } from './embeddingAccessChecks.ts';
import { embeddingChecks } from './embeddingChecks.ts';
import { embeddingFieldChecks } from './embeddingFieldChecks.ts';
import { itemChecks } from './itemChecks.ts';
import { organizationUnitChecks } from './organizationUnitChecks.ts';
import { reportPageChecks } from './reportPageChecks.ts';
import { roleChecks } from './roleChecks.ts';
import { rowSecurityChecks } from './rowSecurityChecks.ts';
import { userChangeChecks } from './userChangeChecks.ts';
import { userChecks } from './userChecks.ts';

const numbers = (section: string): readonly number[] => section.split('.').map(Number);

/** Sorts by section of the interface: 2.10 after 2.9. */
const bySection = (left: Check, right: Check): number => {
  const [a, b] = [numbers(left.section), numbers(right.section)];
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
};

/** Every check of the suite, in the order of the interface. */
export const checks: readonly Check[] = [
  ...authenticationChecks,
  ...userChecks,
  ...userChangeChecks,
  ...roleChecks,
  ...organizationUnitChecks,
  ...itemChecks,
  ...auditChecks,
  ...embeddingFieldChecks,
  ...embeddingAccessChecks,
  ...embeddingChecks,
  ...reportPageChecks,
  ...rowSecurityChecks,
  ...actionChecks,
  ...userChoices,
  ...structureChoices,
  ...contentChoices,
  ...auditChoices,
  ...errorChoices,
  ...actionChoices,
].sort(bySection);
