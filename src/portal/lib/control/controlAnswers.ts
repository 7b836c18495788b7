import { z } from 'zod';
import { faultSchema } from '../faults/faultSchema.ts';
import { seedSchema } from '../seed/seedSchema.ts';

/** Schemas of responses, by their names in the documentation. */
type Answer = readonly [name: string, schema: z.ZodType];

const rows = (row: z.ZodType) => z.strictObject({ items: z.array(row) });

const tenant = z.strictObject({
  tenantId: z.int(),
  tenancyName: z.string(),
  tenantUrl: z.string(),
  apiBaseUrl: z.string(),
  baseUrl: z.string(),
  apiKey: z.string(),
  passPhrase: z.string(),
  webhookSecret: z.string(),
  items: z.array(
    z.strictObject({
      id: z.int(),
      guid: z.guid(),
      displayName: z.string(),
      type: z.string(),
      hasRls: z.boolean(),
    }),
  ),
  roleNames: z.array(z.string()),
});

const loggedRequest = z.strictObject({
  id: z.int(),
  at: z.iso.datetime(),
  tenancyName: z.string().nullable(),
  kind: z.string(),
  method: z.string(),
  path: z.string(),
  query: z.string(),
  headers: z.record(z.string(), z.string()),
  requestBody: z.string().nullable(),
  status: z.int(),
  responseBody: z.string().nullable(),
  durationMs: z.number(),
  ipAddress: z.string().nullable(),
  requestId: z.string(),
  fault: z.string().nullable(),
  notes: z.array(z.string()),
});

const delivery = z.strictObject({
  id: z.int(),
  taskId: z.int(),
  tenancyName: z.string(),
  url: z.string(),
  at: z.iso.datetime(),
  visual: z.string(),
  body: z.string(),
  status: z.int().nullable(),
  outcome: z.string(),
  error: z.string().nullable(),
  durationMs: z.number(),
  replayOf: z.int().nullable(),
});

const snapshot = z.strictObject({ id: z.int(), at: z.iso.datetime() });

const activeFault = z.strictObject({
  id: z.int(),
  fault: faultSchema,
  matches: z.int(),
  fired: z.int(),
});

/** The responses of control routes. */
export const controlAnswers = {
  tenant: ['Tenant', tenant],
  tenants: ['TenantList', rows(tenant)],
  key: ['CreatedKey', z.strictObject({ key: z.string(), url: z.string() })],
  apiKey: ['CreatedApiKey', z.strictObject({ id: z.int(), apiKey: z.string() })],
  created: ['Created', z.strictObject({ id: z.int() })],
  list: [
    'ConsoleList',
    z.strictObject({
      items: z.array(z.record(z.string(), z.unknown())),
      totalCount: z.int(),
      page: z.int(),
      pageSize: z.int(),
      searchedRows: z.int().optional(),
    }),
  ],
  clock: [
    'Clock',
    z.strictObject({
      now: z.iso.datetime(),
      isFrozen: z.boolean(),
      speed: z.number(),
      offsetMs: z.int(),
    }),
  ],
  faults: ['ActiveFaultList', rows(activeFault)],
  requests: ['LoggedRequestList', rows(loggedRequest)],
  deliveries: ['DeliveryList', rows(delivery)],
  snapshots: ['SnapshotList', rows(snapshot)],
  seed: ['Seed', seedSchema],
} satisfies Record<string, Answer>;
