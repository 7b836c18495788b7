import type { Actor } from './change.ts';
import type { FaultRegistry } from './faults/createFaults.ts';
import type { PortalDeliveries } from './logs/deliveryLog.ts';
import type { RequestLog } from './logs/requestLog.ts';
import type { ParsedSeed } from './seed/seedSchema.ts';
import type { Services } from './services.ts';
import type { NewTenantOptions } from './tenants/createTenant.ts';
import type { PortalTenant } from './tenants/describeTenants.ts';

/** Changes to a tenant from outside its own interface. */
export interface TenantChange {
  /** CSP `frame-ancestors` of the report pages: `*`, `'none'`, or origins. */
  readonly frameAncestors?: string;
  /** URL of all webhook tasks of the tenant. */
  readonly actionTarget?: string;
}

/** A state of the whole portal, saved by `snapshot` and restored by `restore`. */
export interface PortalSnapshot {
  /** Number of the snapshot. */
  readonly id: number;
}

/** A stored snapshot. */
export interface KeptSnapshot extends PortalSnapshot {
  /** Portal time at which it was taken, ISO 8601 UTC. */
  readonly at: string;
}

/** Controls of a portal for tests and developers, outside the service's own interface. */
export interface PortalControl {
  /** Creates a copy of a tenant of the seed, with its own keys: for example, one per test. */
  readonly createTenant: (options?: NewTenantOptions) => Promise<PortalTenant>;
  /** Removes a tenant and all of its data. */
  readonly removeTenant: (tenancyName: string) => Promise<void>;
  /** Changes who may frame a tenant's reports, how it responds, and the target of its webhooks. */
  readonly changeTenant: (tenancyName: string, change: TenantChange) => Promise<void>;
  /** Revokes a link: its report closes within seconds. */
  readonly revokeLink: (tenancyName: string, linkId: number) => Promise<void>;
  /** Removes an item with its links: its report no longer exists, and its tasks are unbound. */
  readonly removeItem: (tenancyName: string, itemId: number) => Promise<void>;
  /** Takes a snapshot of the whole service: tenants, users, links, audit log. The newest hundred are kept. */
  readonly snapshot: () => Promise<PortalSnapshot>;
  /** Restores a snapshot. Clock and faults stay unchanged. */
  readonly restore: (snapshot: PortalSnapshot) => Promise<void>;
  /** Resets tenants, logs, clock and faults to the seed. Seeded keys stay valid. */
  readonly reset: () => Promise<void>;
}

/** What the console can do as well; its changes name the caller. */
export interface ConsoleControl extends PortalControl {
  readonly createTenant: (options?: NewTenantOptions, actor?: Actor) => Promise<PortalTenant>;
  readonly changeTenant: (tenancyName: string, change: TenantChange, actor?: Actor) => Promise<void>;
  /** The stored snapshots, oldest first. */
  readonly snapshots: () => readonly KeptSnapshot[];
  /** Replaces all tenants with those of a seed. Clock, faults and logs stay; `reset` still restores the first seed. */
  readonly importSeed: (seed: ParsedSeed) => Promise<void>;
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
