import type { Actor, AuditEvent } from '../audit/auditEvent.ts';
import { type Change, recordedChange } from '../audit/recordedChange.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenants/tenant.ts';

/** Who the audit log names for what is done from behind. */
const controlActor: Actor = { userId: null, userEmail: 'control interface', ipAddress: null };

/** Whose state a change from behind concerns. */
export interface ControlledTenant {
  readonly services: Services;
  readonly tenant: Tenant;
}

/** Changes a tenant from behind, in one transaction with the audit record of the event that `work` returns. */
export const controlChange = (
  { services, tenant }: ControlledTenant,
  work: (change: Change) => Promise<Omit<AuditEvent, 'actor'>>,
): Promise<void> =>
  recordedChange(services, tenant.id, async (change) =>
    change.record({ ...(await work(change)), actor: controlActor }),
  );
