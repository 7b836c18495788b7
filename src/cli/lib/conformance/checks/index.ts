import type { Check } from '../check.ts';
import { actionChecks } from './actions.ts';
import { auditChecks } from './audit.ts';
import { authenticationChecks } from './authentication.ts';
import { actionChoices } from './choices/actionChoices.ts';
import { auditChoices } from './choices/auditChoices.ts';
import { contentChoices } from './choices/contentChoices.ts';
import { errorChoices } from './choices/errorChoices.ts';
import { structureChoices } from './choices/structureChoices.ts';
import { userChoices } from './choices/userChoices.ts';
import { embeddingChecks } from './embedding.ts';
import { embeddingFieldChecks } from './embeddingFields.ts';
import { itemChecks } from './items.ts';
import { organizationUnitChecks } from './organizationUnits.ts';
import { reportPageChecks } from './reportPage.ts';
import { roleChecks } from './roles.ts';
import { userChangeChecks } from './userChanges.ts';
import { userChecks } from './users.ts';

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
  ...embeddingChecks,
  ...reportPageChecks,
  ...actionChecks,
  ...userChoices,
  ...structureChoices,
  ...contentChoices,
  ...auditChoices,
  ...errorChoices,
  ...actionChoices,
].sort(bySection);
