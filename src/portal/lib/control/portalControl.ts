import { z } from 'zod';
import { webhookUrlSchema } from '../actions/webhookSchemas.ts';
import { type Actor, change } from '../change.ts';
import { clearState, lockState, lockTenantCounter, removeTenant } from '../database/state.ts';
import { changesOf, findRow } from '../database/tenantRows.ts';
import type { FaultRegistry } from '../faults/createFaults.ts';
import { notFoundField } from '../http/portalFailure.ts';
import type { DeliveryLog } from '../logs/deliveryLog.ts';
import type { RequestLog } from '../logs/requestLog.ts';
import type { ConsoleControl } from '../portalParts.ts';
import { applySeed } from '../seed/applySeed.ts';
import { developmentWebhookSecret } from '../seed/derived.ts';
import { frameAncestorsSchema, type ParsedSeed } from '../seed/seedSchema.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';
import { tenantNamed } from '../tenant.ts';
import { createTenant } from '../tenants/createTenant.ts';
import { describeTenant } from '../tenants/describeTenants.ts';

/** Shape of a {@link TenantChange}. */
export const tenantChangeSchema = z.strictObject({
  frameAncestors: frameAncestorsSchema.optional(),
  actionTarget: webhookUrlSchema.optional(),
});

/** Dependencies of the control. */
export interface PortalControlOptions {
  readonly services: Services;
  readonly seed: ParsedSeed;
  readonly faults: FaultRegistry;
  readonly requests: RequestLog;
  readonly deliveries: DeliveryLog;
}

/** The actor of changes through the control interface: programs, tests and the console. */
export const controlActor: Actor = { userId: null, userEmail: 'control interface', ipAddress: null };

/** Creates the control of a portal. */
export const createPortalControl = (options: PortalControlOptions): ConsoleControl => {
  const { services, seed, faults, requests, deliveries } = options;
  const { db, clock } = services;
  const seedContext = () => ({ db, atMs: clock.now() });

  return {
    createTenant: async (given = {}, actor = controlActor) => {
      const made = await createTenant(seedContext(), seed, { options: given, actor });
      return describeTenant(services, await tenantNamed(db, made.tenancyName), made);
    },
    removeTenant: async (tenancyName) => removeTenant(db, (await tenantNamed(db, tenancyName)).id),
    changeTenant: async (tenancyName, given, actor = controlActor) => {
      const { frameAncestors, actionTarget } = validate(tenantChangeSchema, given);
      const tenant = await tenantNamed(db, tenancyName);
      await change({ services, tenant, actor }, 'TenantUpdated', async ({ db: trx, tenantId }) => {
        let { isUnchanged } = changesOf(tenant, { frameAncestors });
        if (!isUnchanged)
          await trx.updateTable('tenants').set({ frameAncestors }).where('id', '=', tenantId).execute();
        if (actionTarget !== undefined) {
          const { numUpdatedRows } = await trx
            .updateTable('tasks')
            .set({ webhookUrl: actionTarget })
            .where('tenantId', '=', tenantId)
            .where('kind', '=', 'webhook')
            .where('webhookUrl', 'is distinct from', actionTarget)
            // A task with a secret of its own has a receiver of its own.
            .where('secret', '=', developmentWebhookSecret(tenancyName))
            .executeTakeFirst();
          isUnchanged &&= numUpdatedRows === 0n;
        }
        return {
          id: tenantId,
          isUnchanged,
          description: `The tenant "${tenancyName}" was changed.`,
          details: { frameAncestors, actionTarget },
        };
      });
    },
    reset: async () => {
      services.dispatcher.forget();
      await services.dispatcher.idle();
      faults.clear();
      clock.reset();
      await Promise.all([requests.clear(), deliveries.clear()]);
      await db.transaction().execute(async (trx) => {
        await lockTenantCounter(trx);
        await lockState(trx);
        await clearState(trx);
        await applySeed({ ...seedContext(), db: trx }, seed);
      });
    },
    replay: async (replayOf) => {
      const [delivery] = await deliveries.list({ afterId: replayOf - 1, limit: Infinity });
      if (delivery?.id !== replayOf) throw notFoundField('id', 'There is no such delivery in the log.');
      const { taskId, tenancyName, visual, body } = delivery;
      const tenant = await tenantNamed(db, tenancyName);
      const { webhookUrl, ...task } = await findRow({ db, tenantId: tenant.id }, 'tasks', taskId, 'taskId');
      if (webhookUrl === null) throw notFoundField('taskId', 'The task has no address any more.');
      services.dispatcher.replay({
        task: { ...task, tenancyName, url: webhookUrl },
        visual,
        body,
        actor: controlActor,
        replayOf,
      });
      await services.dispatcher.idle();
    },
  };
};
