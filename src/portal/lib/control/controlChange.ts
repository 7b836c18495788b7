import { type Change, recordedChange } from '../audit/recordedChange.ts';
import type { Actor, AuditEvent } from '../audit/writeAuditRecord.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** The actor of control changes in the audit log. */
export const controlActor: Actor = { userId: null, userEmail: 'control interface', ipAddress: null };

/** The tenant of a control change. */
export interface ControlledTenant {
  readonly services: Services;
  readonly tenant: Tenant;
}

/**
 * Changes a tenant through the control interface, in one transaction with the audit record of the event that `work`
 * returns.
 */
export const controlChange = (
  { services, tenant }: ControlledTenant,
  work: (change: Change) => Promise<Omit<AuditEvent, 'actor'>>,
): Promise<void> =>
  recordedChange(services, tenant.id, async (change) =>
    change.record({ ...(await work(change)), actor: controlActor }),
  );
