import type { Actor } from './change.ts';
import type { FaultRegistry } from './faults/createFaults.ts';
import type { PortalDeliveries } from './logs/deliveryLog.ts';
import type { RequestLog } from './logs/requestLog.ts';
import type { Services } from './services.ts';
import type { NewTenantOptions } from './tenants/createTenant.ts';
import type { PortalTenant } from './tenants/describeTenants.ts';

/** Changes to a tenant from outside its own interface. */
export interface TenantChange {
  /** CSP `frame-ancestors` of the report pages: `*`, `'none'`, or origins. */
  readonly frameAncestors?: string | undefined;
  /** URL of all webhook tasks of the tenant. */
  readonly actionTarget?: string | undefined;
}

/** Controls of a portal for tests and developers, outside the service's own interface. */
export interface PortalControl {
  /** Creates a copy of a tenant of the seed, with its own keys: for example, one per test. */
  readonly createTenant: (options?: NewTenantOptions) => Promise<PortalTenant>;
  /** Removes a tenant and all of its data. */
  readonly removeTenant: (tenancyName: string) => Promise<void>;
  /** Changes who may frame a tenant's reports, how it responds, and the target of its webhooks. */
  readonly changeTenant: (tenancyName: string, change: TenantChange) => Promise<void>;
  /** Resets tenants, logs, clock and faults to the seed. Seeded keys stay valid. */
  readonly reset: () => Promise<void>;
}

/** What the console can do as well; its changes name the caller. */
export interface ConsoleControl extends PortalControl {
  readonly createTenant: (options?: NewTenantOptions, actor?: Actor) => Promise<PortalTenant>;
  readonly changeTenant: (tenancyName: string, change: TenantChange, actor?: Actor) => Promise<void>;
  /** Resends a logged webhook. */
  readonly replay: (deliveryId: number) => Promise<void>;
}

/** Everything that routes work with. */
export interface PortalParts {
  readonly services: Services;
  readonly control: ConsoleControl;
  readonly faults: FaultRegistry;
  readonly requests: RequestLog;
  readonly deliveries: PortalDeliveries;
}
