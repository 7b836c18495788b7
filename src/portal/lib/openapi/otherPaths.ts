import { z } from 'zod';
import {
  apiKeySchema,
  clockSchema,
  importSchema,
  itemChangeSchema,
  newTenantSchema,
  previewKeySchema,
  roleChangeSchema,
  taskChangeSchema,
  taskSchema,
  unitChangeSchema,
} from '../control/controlSchemas.ts';
import { faultSchema } from '../faults/faultSchema.ts';
import { directorySchema, rowRuleSchema } from '../seed/seedSchema.ts';
import type { NamedSchemas } from './namedSchemas.ts';
import type { JsonObject, JsonSchema } from './openApiDocument.ts';

interface ControlPath {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path below `/_control`. */
  readonly path: string;
  readonly summary: string;
  /** Schema of the body, and its name. */
  readonly body?: readonly [name: string, schema: z.ZodType];
  readonly status: 200 | 201 | 204;
}

const tenant = '/tenants/{tenancyName}';

/** The control interface, for development and tests: no part of the service. */
export const controlPaths: readonly ControlPath[] = [
  { method: 'get', path: '/tenants', summary: 'All tenants, with their development secrets.', status: 200 },
  {
    method: 'post',
    path: '/tenants',
    summary: 'Makes a tenant like one of the seed, with keys of its own.',
    body: ['NewTenant', newTenantSchema],
    status: 201,
  },
  { method: 'delete', path: tenant, summary: 'Removes a tenant and all that is its own.', status: 204 },
  {
    method: 'get',
    path: `${tenant}/lists/{name}`,
    summary: 'A page of a list, searched with `search`.',
    status: 200,
  },
  {
    method: 'patch',
    path: `${tenant}/roles/{roleId}`,
    summary: 'Changes a role and the rows that it opens.',
    body: ['RoleChange', roleChangeSchema],
    status: 204,
  },
  { method: 'delete', path: `${tenant}/roles/{roleId}`, summary: 'Removes a role.', status: 204 },
  {
    method: 'put',
    path: `${tenant}/roles/{code}/rule`,
    summary: 'Sets the rule of the RLS role with this code.',
    body: ['RowRule', rowRuleSchema],
    status: 204,
  },
  {
    method: 'patch',
    path: `${tenant}/organization-units/{ouId}`,
    summary: 'Renames a unit, moves it, or links it to another directory group.',
    body: ['UnitChange', unitChangeSchema],
    status: 204,
  },
  {
    method: 'delete',
    path: `${tenant}/organization-units/{ouId}`,
    summary: 'Removes a unit without units below it, and the memberships in it.',
    status: 204,
  },
  {
    method: 'patch',
    path: `${tenant}/items/{itemId}`,
    summary: 'Changes an item.',
    body: ['ItemChange', itemChangeSchema],
    status: 204,
  },
  {
    method: 'delete',
    path: `${tenant}/items/{itemId}`,
    summary: 'Removes an item; its links end.',
    status: 204,
  },
  {
    method: 'post',
    path: `${tenant}/tasks`,
    summary: 'Creates a task.',
    body: ['NewTask', taskSchema],
    status: 201,
  },
  {
    method: 'patch',
    path: `${tenant}/tasks/{taskId}`,
    summary: 'Changes a task. Without `secret` the one it has stays; null removes it.',
    body: ['TaskChange', taskChangeSchema],
    status: 204,
  },
  { method: 'delete', path: `${tenant}/tasks/{taskId}`, summary: 'Removes a task.', status: 204 },
  {
    method: 'delete',
    path: `${tenant}/links/{linkId}`,
    summary: 'Revokes a link: its report closes within seconds.',
    status: 204,
  },
  {
    method: 'post',
    path: `${tenant}/keys`,
    summary: 'Makes a key for a user and roles of choice, and the address it opens.',
    body: ['PreviewKey', previewKeySchema],
    status: 201,
  },
  {
    method: 'put',
    path: `${tenant}/directory`,
    summary: 'Replaces the identity directory that synchronizations read.',
    body: ['Directory', directorySchema],
    status: 204,
  },
  {
    method: 'post',
    path: `${tenant}/api-keys`,
    summary: 'Issues an API key with permissions of choice.',
    body: ['NewApiKey', apiKeySchema],
    status: 201,
  },
  { method: 'delete', path: `${tenant}/api-keys/{id}`, summary: 'Revokes an API key.', status: 204 },
  { method: 'get', path: '/clock', summary: "The portal's clock.", status: 200 },
  {
    method: 'post',
    path: '/clock',
    summary: 'Moves, freezes or resets the clock.',
    body: ['ClockChange', clockSchema],
    status: 200,
  },
  { method: 'get', path: '/faults', summary: 'The faults that are set.', status: 200 },
  { method: 'post', path: '/faults', summary: 'Sets a fault.', body: ['Fault', faultSchema], status: 201 },
  { method: 'delete', path: '/faults', summary: 'Takes every fault back.', status: 204 },
  { method: 'delete', path: '/faults/{id}', summary: 'Takes a fault back.', status: 204 },
  { method: 'get', path: '/requests', summary: 'The request log, newest last.', status: 200 },
  { method: 'delete', path: '/requests', summary: 'Empties the request log.', status: 204 },
  { method: 'get', path: '/deliveries', summary: 'The webhooks that were sent.', status: 200 },
  { method: 'delete', path: '/deliveries', summary: 'Empties the log of webhooks.', status: 204 },
  {
    method: 'post',
    path: '/deliveries/{id}/replay',
    summary: 'Sends a webhook once more.',
    status: 204,
  },
  { method: 'get', path: '/snapshots', summary: 'The snapshots that are kept.', status: 200 },
  { method: 'post', path: '/snapshots', summary: 'Takes a snapshot of the whole state.', status: 201 },
  { method: 'post', path: '/snapshots/{id}/restore', summary: 'Puts a snapshot back.', status: 204 },
  { method: 'get', path: '/seed', summary: 'The state as a seed, without secrets.', status: 200 },
  {
    method: 'put',
    path: '/seed',
    summary: 'Replaces every tenant by those of a seed in JSON or YAML.',
    body: ['SeedImport', importSchema],
    status: 204,
  },
  {
    method: 'post',
    path: '/reset',
    summary: 'Back to the seed: tenants, logs, clock and faults.',
    status: 204,
  },
];

const operationId = (method: string, path: string): string =>
  `control_${method}${path.replaceAll(/\{(\w+)\}/g, 'by_$1').replaceAll(/\W+/g, '_')}`;

const toSchema = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest as JsonSchema;
};

const controlOperation = (
  { method, path, summary, body, status }: ControlPath,
  named: NamedSchemas,
): JsonObject => ({
  operationId: operationId(method, path),
  summary,
  tags: ['Control (development)'],
  'x-provenance': 'extension',
  'x-permission': 'none: it answers programs and its own console alone',
  security: [],
  parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    'x-provenance': 'extension',
  })),
  ...(body !== undefined && {
    requestBody: {
      required: true,
      content: { 'application/json': { schema: named.name(body[0], toSchema(body[1])) } },
    },
  }),
  responses: {
    [String(status)]: {
      description: summary,
      ...(status !== 204 && {
        content: { 'application/json': { schema: named.name('ControlAnswer', { type: 'object' }) } },
      }),
    },
  },
});

/** The paths of the control interface. */
export const controlPathItems = (named: NamedSchemas): Record<string, Record<string, JsonObject>> => {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const one of controlPaths) {
    const path = `/_control${one.path}`;
    paths[path] = { ...paths[path], [one.method]: controlOperation(one, named) };
  }
  return paths;
};

const html = (description: string) => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

/** `GET {tenant_url}/report/{reportId}?ev=<key>` (docs/interface.md#4.7). */
export const reportPathItem = (tenantUrl: string): JsonObject => ({
  servers: [{ url: tenantUrl, description: "The tenant's public origin." }],
  get: {
    operationId: 'openReport',
    summary: 'Renders the report that an encrypted key opens. Meant for the src of an iframe.',
    tags: ['Embedding'],
    'x-provenance': 'interface 4.7',
    'x-permission': 'the encrypted key',
    security: [],
    parameters: [
      {
        name: 'reportId',
        in: 'path',
        required: true,
        description: 'The Item ID.',
        schema: { type: 'integer', minimum: 1 },
        'x-provenance': 'interface 4.7',
      },
      {
        name: 'ev',
        in: 'query',
        required: true,
        description: 'The encrypted key, `result.key` of CreateEncryptedKey, percent-encoded.',
        schema: { type: 'string' },
        'x-provenance': 'interface 4.7',
      },
    ],
    responses: {
      200: html('The report, with the rows that the key opens.'),
      403: html('The key is missing, changed, foreign, of another report, ended or revoked.'),
      404: html('There is no such item in this tenant.'),
    },
  },
});

const text = { type: 'string', 'x-provenance': 'interface 6.1' } as const;
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  'x-provenance': 'interface 6.1',
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, 'x-provenance': 'interface 6.1' });

/** The body of an action webhook (docs/interface.md#6.1). */
export const actionWebhookSchema: JsonSchema = object({
  metadata: object({
    actionTriggeredAt: { ...text, format: 'date-time' },
    clientUrl: text,
    currentUser: { type: 'integer', 'x-provenance': 'interface 6.1' },
    reportId: { ...text, format: 'uuid' },
    reportName: text,
    tenancyName: text,
    visualName: text,
  }),
  visualData: list(
    object({
      visual: text,
      data: list(
        object({
          identity: list(object({ equals: text, target: object({ table: text, column: text }) })),
          values: list(
            object({
              value: { type: 'number', 'x-provenance': 'interface 6.1' },
              formattedValue: text,
              target: object({ $schema: text, aggregationFunction: text, table: text, column: text }),
            }),
          ),
        }),
      ),
    }),
  ),
});
