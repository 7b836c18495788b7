import { z } from 'zod';
import type { PortalClock } from '../clock/portalClock.ts';
import { faultSchema } from '../faults/faultSchema.ts';
import { createdSchema } from '../resources/createdSchema.ts';
import { portalRoute, type Route, tenantPath } from '../route.ts';
import { readSeed } from '../seed/exportSeed.ts';
import { parseSeed } from '../seed/seedFiles.ts';
import { seedSchema } from '../seed/seedSchema.ts';
import { describeTenants } from '../tenants/describeTenants.ts';
import {
  activeFaultsSchema,
  clockSchema,
  clockStateSchema,
  deliveriesSchema,
  deliveryFilterSchema,
  requestFilterSchema,
  requestsSchema,
  snapshotsSchema,
  tenancyNameSchema,
  tenantSchema,
  tenantsSchema,
} from './controlSchemas.ts';
import { tenantChangeSchema } from './portalControl.ts';

/** Omits undefined fields, which options do not accept. */
const given = <TValue extends object>(value: TValue) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as {
    [TKey in keyof TValue]?: Exclude<TValue[TKey], undefined>;
  };

const applyToClock = (clock: PortalClock, command: z.output<typeof clockSchema>): void => {
  if ('freeze' in command) clock.freeze(command.freeze === true ? undefined : Date.parse(command.freeze));
  else if ('set' in command) clock.set(Date.parse(command.set));
  else if ('advanceMs' in command) clock.advance(command.advanceMs);
  else if ('speed' in command) clock.setSpeed(command.speed);
  else if ('resume' in command) clock.resume();
  else clock.reset();
};

const tenantRoutes: readonly Route[] = [
  portalRoute({
    method: 'GET',
    path: '/tenants',
    about: 'All tenants, with their development secrets.',
    status: 200,
    answer: ['TenantList', tenantsSchema],
    handle: async ({ services }) => ({ items: await describeTenants(services, { tenants: [] }) }),
  }),
  portalRoute({
    method: 'POST',
    path: '/tenants',
    about: 'Creates a copy of a tenant of the seed, with its own keys.',
    body: [
      'NewTenant',
      z.strictObject({ template: tenancyNameSchema.optional(), tenancyName: tenancyNameSchema.optional() }),
    ],
    status: 201,
    answer: ['Tenant', tenantSchema],
    refusals: [409],
    handle: ({ control, actor, body }) => control.createTenant(given(body), actor),
  }),
  portalRoute({
    method: 'DELETE',
    path: tenantPath,
    about: 'Removes a tenant and all of its data, also its audit log.',
    status: 204,
    refusals: [404],
    handle: ({ control, params: { tenancyName = '' } }) => control.removeTenant(tenancyName),
  }),
  portalRoute({
    method: 'PATCH',
    path: tenantPath,
    about: 'Changes who may frame the reports, and the target of its webhooks.',
    body: ['TenantChange', tenantChangeSchema],
    status: 204,
    refusals: [404],
    handle: ({ control, actor, params: { tenancyName = '' }, body }) =>
      control.changeTenant(tenancyName, given(body), actor),
  }),
];

const clockRoutes: readonly Route[] = [
  portalRoute({
    method: 'GET',
    path: '/clock',
    about: "The portal's clock.",
    status: 200,
    answer: ['Clock', clockStateSchema],
    handle: ({ services }) => services.clock.state(),
  }),
  portalRoute({
    method: 'POST',
    path: '/clock',
    about: 'Moves, freezes or resets the clock.',
    body: ['ClockChange', clockSchema],
    status: 200,
    answer: ['Clock', clockStateSchema],
    handle: ({ services, body }) => {
      applyToClock(services.clock, body);
      return services.clock.state();
    },
  }),
];

const faultRoutes: readonly Route[] = [
  portalRoute({
    method: 'GET',
    path: '/faults',
    about: 'The active faults.',
    status: 200,
    answer: ['ActiveFaultList', activeFaultsSchema],
    handle: ({ faults }) => ({ items: faults.list() }),
  }),
  portalRoute({
    method: 'POST',
    path: '/faults',
    about: 'Sets a fault.',
    body: ['Fault', faultSchema],
    status: 201,
    answer: createdSchema,
    handle: ({ faults, body }) => ({ id: faults.add(body) }),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/faults',
    about: 'Removes all faults, or those of `tenancyName`.',
    query: z.strictObject({ tenancyName: tenancyNameSchema.optional() }),
    status: 204,
    handle: ({ faults, query: { tenancyName } }) => faults.clear(tenancyName),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/faults/{id}',
    about: 'Removes a fault.',
    status: 204,
    handle: ({ faults, params }) => faults.remove(Number(params['id'])),
  }),
];

const logRoutes: readonly Route[] = [
  portalRoute({
    method: 'GET',
    path: '/requests',
    about: 'The request log, newest last.',
    query: requestFilterSchema,
    status: 200,
    answer: ['LoggedRequestList', requestsSchema],
    handle: async ({ requests, query: { waitFor, timeoutMs, ...filter } }) => ({
      items:
        waitFor === undefined
          ? await requests.list(given(filter))
          : await requests.waitFor(given(filter), { count: waitFor, timeoutMs }),
    }),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/requests',
    about: 'Empties the request log.',
    status: 204,
    handle: ({ requests }) => requests.clear(),
  }),
  portalRoute({
    method: 'GET',
    path: '/deliveries',
    about: 'The sent webhooks.',
    query: deliveryFilterSchema,
    status: 200,
    answer: ['DeliveryList', deliveriesSchema],
    handle: async ({ deliveries, query: { waitFor, timeoutMs, ...filter } }) => ({
      items:
        waitFor === undefined
          ? await deliveries.list(given(filter))
          : await deliveries.waitFor(given(filter), { count: waitFor, timeoutMs }),
    }),
  }),
  portalRoute({
    method: 'DELETE',
    path: '/deliveries',
    about: 'Empties the webhook log.',
    status: 204,
    handle: ({ deliveries }) => deliveries.clear(),
  }),
  portalRoute({
    method: 'POST',
    path: '/deliveries/{id}/replay',
    about: 'Sends a webhook again.',
    status: 204,
    refusals: [404],
    handle: ({ deliveries, params }) => deliveries.replay(Number(params['id'])),
  }),
];

const stateRoutes: readonly Route[] = [
  portalRoute({
    method: 'GET',
    path: '/snapshots',
    about: 'The stored snapshots.',
    status: 200,
    answer: ['SnapshotList', snapshotsSchema],
    handle: ({ control }) => ({ items: control.snapshots() }),
  }),
  portalRoute({
    method: 'POST',
    path: '/snapshots',
    about: 'Takes a snapshot of the whole state.',
    status: 201,
    answer: createdSchema,
    handle: ({ control }) => control.snapshot(),
  }),
  portalRoute({
    method: 'POST',
    path: '/snapshots/{id}/restore',
    about: 'Restores a snapshot.',
    status: 204,
    refusals: [404],
    handle: ({ control, params }) => control.restore({ id: Number(params['id']) }),
  }),
  portalRoute({
    method: 'GET',
    path: '/seed',
    about: 'The state as a seed, without secrets.',
    status: 200,
    answer: ['Seed', seedSchema],
    handle: ({ services }) => readSeed(services.db),
  }),
  portalRoute({
    method: 'PUT',
    path: '/seed',
    about: 'Replaces all tenants with those of a seed in JSON or YAML.',
    body: [
      'SeedImport',
      z.strictObject({ text: z.string().min(1), fileName: z.string().max(256).default('seed') }),
    ],
    status: 204,
    handle: async ({ control, body: { text, fileName } }) =>
      control.importSeed(await parseSeed(text, fileName)),
  }),
  portalRoute({
    method: 'POST',
    path: '/reset',
    about: 'Resets tenants, logs, clock and faults to the seed.',
    status: 204,
    handle: ({ control }) => control.reset(),
  }),
];

/** Routes of the whole portal in the control interface. */
export const controlRoutes: readonly Route[] = [
  ...tenantRoutes,
  ...clockRoutes,
  ...faultRoutes,
  ...logRoutes,
  ...stateRoutes,
];
