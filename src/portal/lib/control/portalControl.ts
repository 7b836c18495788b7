import { z } from 'zod';
import type { WebhookTask } from '../actions/dispatcher.ts';
import { webhookUrlSchema } from '../actions/webhookSchemas.ts';
import {
  clearState,
  type DatabaseSnapshot,
  lockState,
  lockTenantCounter,
  removeTenant,
  restoreSnapshot,
  takeSnapshot,
} from '../database/state.ts';
import type { FaultRegistry } from '../faults/createFaults.ts';
import { notFound } from '../http/portalFailure.ts';
import type { LoggedDelivery } from '../logs/createDeliveryLog.ts';
import type { RequestLog } from '../logs/requestLog.ts';
import { applySeed } from '../seed/applySeed.ts';
import { frameAncestorsSchema, type ParsedSeed } from '../seed/seedSchema.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';
import { createTenant, type NewTenantOptions } from '../tenants/createTenant.ts';
import { describeTenant, type PortalTenant } from '../tenants/describeTenants.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { removeItem, revokeLink } from './contentChanges.ts';
import { controlActor } from './controlChange.ts';
import { tenantNamed } from './tenantNamed.ts';

/** Changes to a tenant from outside its own interface. */
export interface TenantChange {
  /** CSP `frame-ancestors` of the report pages: `*`, `'none'`, or origins. */
  readonly frameAncestors?: string;
  /** URL of all webhook tasks of the tenant. */
  readonly actionTarget?: string;
}

/** Shape of a {@link TenantChange}. */
export const tenantChangeSchema = z.strictObject({
  frameAncestors: frameAncestorsSchema.optional(),
  actionTarget: webhookUrlSchema.optional(),
});

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

/** What the console can do as well. */
export interface ConsoleControl extends PortalControl {
  /** The stored snapshots, oldest first. */
  readonly snapshots: () => readonly KeptSnapshot[];
  /** Replaces all tenants with those of a seed. Clock, faults and logs stay; `reset` still restores the first seed. */
  readonly importSeed: (seed: ParsedSeed) => Promise<void>;
  /** Resends a logged webhook. */
  readonly replay: (delivery: LoggedDelivery) => Promise<void>;
}

/** Dependencies of the control. */
export interface PortalControlOptions {
  readonly services: Services;
  readonly seed: ParsedSeed;
  readonly faults: FaultRegistry;
  readonly requests: RequestLog;
}

/** Maximum number of snapshots; the oldest are dropped. */
const maxSnapshots = 100;

/** Creates the control of a portal. */
export const createPortalControl = (options: PortalControlOptions): ConsoleControl => {
  const { services, seed, faults, requests } = options;
  const { db, clock } = services;
  const seedContext = () => ({ db, nowMs: clock.now(), randomBytes: services.randomBytes });
  const snapshots = new Map<number, { readonly at: string; readonly state: DatabaseSnapshot }>();
  let lastSnapshot = 0;

  const applyState = (wanted: ParsedSeed): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await lockTenantCounter(trx);
      await lockState(trx);
      await clearState(trx);
      await applySeed({ ...seedContext(), db: trx }, wanted);
    });
  const tenantOf = (tenancyName: string): Promise<Tenant> => tenantNamed(db, tenancyName);

  return {
    createTenant: async (tenantOptions = {}) => {
      const made = await createTenant(seedContext(), seed, tenantOptions);
      return describeTenant(services, await tenantOf(made.tenancyName), made);
    },
    removeTenant: async (tenancyName) => removeTenant(db, (await tenantOf(tenancyName)).id),
    changeTenant: async (tenancyName, change) => {
      const parsed = validate(tenantChangeSchema, change);
      const tenant = await tenantOf(tenancyName);
      if (parsed.frameAncestors !== undefined)
        await db
          .updateTable('tenants')
          .set({ frame_ancestors: parsed.frameAncestors })
          .where('id', '=', tenant.id)
          .execute();
      if (parsed.actionTarget !== undefined)
        await db
          .updateTable('tasks')
          .set({ webhook_url: parsed.actionTarget })
          .where('tenant_id', '=', tenant.id)
          .where('kind', '=', 'webhook')
          .execute();
    },
    revokeLink: async (tenancyName, linkId) =>
      revokeLink({ services, tenant: await tenantOf(tenancyName) }, linkId),
    removeItem: async (tenancyName, itemId) =>
      removeItem({ services, tenant: await tenantOf(tenancyName) }, itemId),
    snapshot: async () => {
      await services.dispatcher.idle();
      lastSnapshot += 1;
      const id = lastSnapshot;
      snapshots.set(id, { at: new Date(clock.now()).toISOString(), state: await takeSnapshot(db) });
      snapshots.delete(id - maxSnapshots);
      return { id };
    },
    snapshots: () => [...snapshots].map(([id, { at }]) => ({ id, at })),
    importSeed: async (wanted) => {
      await services.dispatcher.idle();
      await applyState(wanted);
    },
    restore: async ({ id }) => {
      const snapshot = snapshots.get(id);
      if (snapshot === undefined)
        throw new Error(`There is no snapshot ${id}: the newest ${maxSnapshots} are kept.`);
      await services.dispatcher.idle();
      await restoreSnapshot(db, snapshot.state);
    },
    reset: async () => {
      services.dispatcher.forget();
      await services.dispatcher.idle();
      faults.clear();
      clock.reset();
      await requests.clear();
      await applyState(seed);
    },
    replay: async (delivery) => {
      const task = await db
        .selectFrom('tasks')
        .innerJoin('tenants', 'tenants.id', 'tasks.tenant_id')
        .select(['tasks.id', 'tasks.name', 'tasks.webhook_url', 'tasks.secret', 'tasks.tenant_id'])
        .where('tasks.id', '=', delivery.taskId)
        .executeTakeFirst();
      if (task === undefined || task.webhook_url === null) throw notFound('The task', 'taskId');
      const sent: WebhookTask = {
        id: task.id,
        name: task.name,
        tenantId: task.tenant_id,
        tenancyName: delivery.tenancyName,
        url: task.webhook_url,
        secret: task.secret,
      };
      services.dispatcher.replay({
        task: sent,
        visual: delivery.visual,
        body: delivery.body,
        actor: controlActor,
        replayOf: delivery.id,
      });
      await services.dispatcher.idle();
    },
  };
};
