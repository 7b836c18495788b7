import { z } from 'zod';
import type { PortalClock } from '../clock/portalClock.ts';
import { faultSchema } from '../faults/faultSchema.ts';
import { createdSchema } from '../http/listPages.ts';
import { notFoundField } from '../http/portalFailure.ts';
import { portalRoute, type Route, tenantPath } from '../route.ts';
import { readSeed } from '../seed/exportSeed.ts';
import { seedSchema } from '../seed/seedSchema.ts';
import { tenantNamed } from '../tenant.ts';
import { describeTenants } from '../tenants/describeTenants.ts';
import {
  activeFaultsSchema,
  clockSchema,
  clockStateSchema,
  deliveryFilterSchema,
  type logFilterSchema,
  logSchema,
  requestFilterSchema,
  tenancyNameSchema,
  tenantSchema,
  tenantsSchema,
} from './controlSchemas.ts';
import { tenantChangeSchema } from './portalControl.ts';

const applyToClock = (clock: PortalClock, command: z.output<typeof clockSchema>): void => {
  if ('freeze' in command) clock.freeze(command.freeze === true ? undefined : Date.parse(command.freeze));
  else if ('set' in command) clock.set(Date.parse(command.set));
  else if ('advanceMs' in command) clock.advance(command.advanceMs);
  else if ('speed' in command) clock.setSpeed(command.speed);
  else if ('resume' in command) clock.resume();
  else clock.reset();
};

/** What both logs offer. */
const readingRoutes = (name: 'requests' | 'deliveries', about: string, query: typeof logFilterSchema) => [
  portalRoute(`GET /${name}`, `${about}, newest last.`, {
    query,
    answer: ['LogEntryList', logSchema],
    handle: async ({ [name]: log, query: { waitFor, timeoutMs, ...filter } }) => ({
      items:
        waitFor === undefined
          ? await log.list(filter)
          : await log.waitFor(filter, { count: waitFor, timeoutMs }),
    }),
  }),
  portalRoute(`DELETE /${name}`, `Empties the log of ${name}.`, {
    handle: ({ [name]: log }) => log.clear(),
  }),
];

/** Routes of the whole portal in the control interface. */
export const controlRoutes: readonly Route[] = [
  portalRoute('GET /tenants', 'All tenants, with their development secrets.', {
    answer: ['TenantList', tenantsSchema],
    handle: async ({ services }) => ({ items: await describeTenants(services, { tenants: [] }) }),
  }),
  portalRoute('POST /tenants', 'Creates a copy of a tenant of the seed, with its own keys.', {
    body: [
      'NewTenant',
      z.strictObject({ template: tenancyNameSchema.optional(), tenancyName: tenancyNameSchema.optional() }),
    ],
    answer: ['Tenant', tenantSchema],
    refusals: [409],
    handle: ({ control, actor, body }) => control.createTenant(body, actor),
  }),
  portalRoute(`DELETE ${tenantPath}`, 'Removes a tenant and all of its data, also its audit log.', {
    handle: ({ control, params: { tenancyName = '' } }) => control.removeTenant(tenancyName),
  }),
  portalRoute(
    `PATCH ${tenantPath}`,
    'Changes who may frame the reports, and the target of the webhooks that send its webhookSecret.',
    {
      body: ['TenantChange', tenantChangeSchema],
      handle: ({ control, actor, params: { tenancyName = '' }, body }) =>
        control.changeTenant(tenancyName, body, actor),
    },
  ),
  portalRoute('GET /clock', "The portal's clock.", {
    answer: ['Clock', clockStateSchema],
    handle: ({ services }) => services.clock.state(),
  }),
  portalRoute('POST /clock', 'Moves, freezes or resets the clock.', {
    body: ['ClockChange', clockSchema],
    status: 200,
    answer: ['Clock', clockStateSchema],
    handle: ({ services, body }) => {
      applyToClock(services.clock, body);
      return services.clock.state();
    },
  }),
  portalRoute('GET /faults', 'The active faults.', {
    answer: ['ActiveFaultList', activeFaultsSchema],
    handle: ({ faults }) => ({ items: faults.list() }),
  }),
  portalRoute('POST /faults', 'Sets a fault.', {
    body: ['Fault', faultSchema],
    answer: createdSchema,
    handle: async ({ services, faults, body }) => {
      if (body.tenancyName !== undefined) await tenantNamed(services.db, body.tenancyName);
      return { id: faults.add(body) };
    },
  }),
  portalRoute('DELETE /faults', 'Removes all faults, or those of `tenancyName`.', {
    query: z.strictObject({ tenancyName: tenancyNameSchema.optional() }),
    handle: ({ faults, query: { tenancyName } }) => faults.clear(tenancyName),
  }),
  portalRoute('DELETE /faults/{id}', 'Removes a fault.', {
    handle: ({ faults, params }) => {
      const known = faults.list().find(({ id }) => String(id) === params['id']);
      if (known === undefined) throw notFoundField('id', 'There is no such fault.');
      faults.remove(known.id);
    },
  }),
  ...readingRoutes('requests', 'The requests to the service', requestFilterSchema),
  ...readingRoutes('deliveries', 'The sent webhooks', deliveryFilterSchema),
  portalRoute('POST /deliveries/{id}/replay', 'Sends a webhook again.', {
    handle: ({ deliveries, params }) => deliveries.replay(Number(params['id'])),
  }),
  portalRoute('GET /seed', 'The state as a seed, without secrets.', {
    answer: ['Seed', seedSchema],
    handle: ({ services }) => readSeed(services.db),
  }),
  portalRoute('POST /reset', 'Resets tenants, logs, clock and faults to the seed.', {
    handle: ({ control }) => control.reset(),
  }),
];
