import type { Check } from './check.ts';
import { auditChecks } from './checks/audit.ts';
import { keyChecks } from './checks/keys.ts';
import { listChecks } from './checks/lists.ts';
import { pageChecks } from './checks/pages.ts';
import { peopleChecks } from './checks/people.ts';
import { webhookChecks } from './checks/webhooks.ts';

/** Every check, in the order of the interface: no section has ten parts. */
export const checks: readonly Check[] = [
  ...listChecks,
  ...peopleChecks,
  ...auditChecks,
  ...keyChecks,
  ...pageChecks,
  ...webhookChecks,
].sort((one, other) => Number.parseFloat(one.title) - Number.parseFloat(other.title));
