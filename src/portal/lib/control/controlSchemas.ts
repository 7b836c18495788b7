import { maxRlsRoles, resources } from '@vitrine/contract/service';
import { changeSchema, createSchema, fieldSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { webhookSecretSchema, webhookUrlSchema } from '../actions/webhookSchemas.ts';
import { reportKinds } from '../reports/shared/reportKinds.ts';
import { rowRuleSchema } from '../rowSecurity.ts';

const tenancyName = z.string().min(1).max(63);
const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .meta({ type: 'integer', pattern: undefined, minimum: 0 })
  .transform(Number);

/** Body of `POST /_control/tenants`. */
export const newTenantSchema = z.strictObject({
  template: tenancyName.optional(),
  tenancyName: tenancyName.optional(),
});

/** Body of `POST /_control/clock`: one command of the clock. */
export const clockSchema = z.union([
  z.strictObject({ freeze: z.union([z.literal(true), z.iso.datetime({ offset: true })]) }),
  z.strictObject({ set: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advanceMs: z.number() }),
  z.strictObject({ speed: z.number().positive().max(1_000_000) }),
  z.strictObject({ resume: z.literal(true) }),
  z.strictObject({ reset: z.literal(true) }),
]);

/** Query of `DELETE /_control/faults`. */
export const clearedFaultsSchema = z.strictObject({ tenancyName: tenancyName.optional() });

/** Common query parameters of both logs. */
const logFilter = {
  tenancyName: tenancyName.optional(),
  afterId: wholeNumber.optional(),
  text: z.string().max(256).optional(),
  limit: wholeNumber.optional(),
  /** Number of entries to wait for, at most `timeoutMs`. */
  waitFor: wholeNumber.optional(),
  timeoutMs: wholeNumber.optional(),
};

/** Query of the request log. */
export const requestFilterSchema = z.strictObject({
  ...logFilter,
  method: z.string().max(16).optional(),
  path: z.string().max(256).optional(),
  status: wholeNumber.optional(),
  kind: z.string().max(32).optional(),
});

/** Query of the delivery log. */
export const deliveryFilterSchema = z.strictObject({
  ...logFilter,
  taskId: wholeNumber.optional(),
  visual: z.string().max(128).optional(),
  outcome: z.enum(['delivered', 'failed', 'lost']).optional(),
});

const { task, item, role } = resources;
const taskName = fieldSchema(task.fields.name);
const taskText = fieldSchema(task.fields.description);
const visualNames = fieldSchema(task.fields.visualNames);

/**
 * Body of `PATCH /_control/tenants/{tenancyName}/tasks/{taskId}`. Without a secret, the current one stays; null removes
 * it.
 */
export const taskChangeSchema = z.strictObject({
  name: taskName.optional(),
  description: taskText.optional(),
  itemId: z.int().positive().optional(),
  visualNames: visualNames.optional(),
  webhookUrl: webhookUrlSchema.optional(),
  secret: webhookSecretSchema.nullish(),
  query: z.string().max(10_000).optional(),
  enabled: z.boolean().optional(),
});

/** Body of `POST /_control/tenants/{tenancyName}/tasks`. */
export const taskSchema = taskChangeSchema.extend({
  name: taskName,
  kind: fieldSchema(task.fields.kind).default('webhook'),
  description: taskText.default(''),
  visualNames: visualNames.default([]),
  enabled: z.boolean().default(true),
});

/** Body of `PATCH /_control/tenants/{tenancyName}/items/{itemId}`. */
export const itemChangeSchema = z.strictObject({
  displayName: fieldSchema(item.fields.displayName).optional(),
  roles: fieldSchema(item.fields.roles).optional(),
  hasRls: z.boolean().optional(),
  report: z.enum(reportKinds).optional(),
});

/** Body of `PATCH /_control/tenants/{tenancyName}/roles/{roleId}`. A rule of null opens no rows. */
export const roleChangeSchema = z.strictObject({
  name: fieldSchema(role.fields.name).optional(),
  description: fieldSchema(role.fields.description).optional(),
  code: fieldSchema(role.fields.code).optional(),
  rule: rowRuleSchema.nullish(),
});

/** Body of `PATCH /_control/tenants/{tenancyName}/organization-units/{ouId}`. */
export const unitChangeSchema = changeSchema('organizationUnit');

/** Query of `GET /_control/tenants/{tenancyName}/lists/{name}`. */
export const consoleListSchema = z.strictObject({
  search: z.string().max(256).optional(),
  page: wholeNumber.default(1),
  pageSize: wholeNumber.default(50),
});

/** Body of `PUT /_control/seed`: a seed in JSON or YAML. */
export const importSchema = z.strictObject({
  text: z.string().min(1),
  fileName: z.string().max(256).default('seed'),
});

/** Body of `POST /_control/tenants/{tenancyName}/keys`: a key for a preview, with any user and roles. */
export const previewKeySchema = z.strictObject({
  itemId: z.int().positive(),
  userId: z.string().min(1).max(256),
  roleNames: z.array(z.string().min(1).max(50)).max(maxRlsRoles).default([]),
  lifetimeMs: z.int().min(1000).max(86_400_000).default(3_600_000),
});

/** Body of `POST /_control/tenants/{tenancyName}/api-keys`. */
export const apiKeySchema = createSchema('apiKey');
