import type { Check } from './check.ts';
import { auditChecks } from './checks/audit.ts';
import { changeChecks } from './checks/changes.ts';
import { keyChecks } from './checks/keys.ts';
import { listChecks } from './checks/lists.ts';
import { pageChecks } from './checks/pages.ts';
import { webhookChecks } from './checks/webhooks.ts';

/** Every check, in the order of the interface: no section has ten parts. */
export const checks: readonly Check[] = [
  ...listChecks,
  ...changeChecks,
  ...auditChecks,
  ...keyChecks,
  ...pageChecks,
  ...webhookChecks,
].sort((one, other) => Number.parseFloat(one.title) - Number.parseFloat(other.title));
