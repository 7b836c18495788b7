import { z } from 'zod';
import { faultSchema } from '../faults/faultSchema.ts';
import { wholeNumber } from '../http/listPages.ts';

export const tenancyNameSchema = z.string().min(1).max(63);
const count = wholeNumber(0, 999_999_999);

const rows = (row: z.ZodType) => z.strictObject({ items: z.array(row) });

/** A tenant with what a host app needs. */
export const tenantSchema = z.strictObject({
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
export const tenantsSchema = rows(tenantSchema);

/** The state of the clock. */
export const clockStateSchema = z.strictObject({
  now: z.iso.datetime(),
  isFrozen: z.boolean(),
  speed: z.number(),
  offsetMs: z.int(),
});

const instant = z.iso.datetime({ offset: true });
/** One command of the clock. */
export const clockSchema = z.union([
  z.strictObject({ freeze: z.union([z.literal(true), instant]) }),
  z.strictObject({ set: instant }),
  z.strictObject({ advanceMs: z.number() }),
  z.strictObject({ speed: z.number().positive().max(1_000_000) }),
  z.strictObject({ resume: z.literal(true) }),
  z.strictObject({ reset: z.literal(true) }),
]);

export const activeFaultsSchema = rows(
  z.strictObject({ id: z.int(), fault: faultSchema, matches: z.int(), fired: z.int() }),
);

/** Entries of a log; the types `LoggedRequest` and `LoggedDelivery` describe their further fields. */
export const logSchema = rows(z.looseObject({ id: z.int(), at: z.iso.datetime() }));

/** Common query parameters of both logs. */
export const logFilterSchema = z.strictObject({
  tenancyName: tenancyNameSchema.optional(),
  afterId: count.optional(),
  text: z.string().max(256).optional(),
  limit: count.optional(),
  /** Number of entries to wait for, at most `timeoutMs`. */
  waitFor: count.optional(),
  timeoutMs: count.default(5000),
});

export const requestFilterSchema = logFilterSchema.extend({
  method: z.string().max(16).optional(),
  path: z.string().max(256).optional(),
  status: count.optional(),
  kind: z.string().max(32).optional(),
});

export const deliveryFilterSchema = logFilterSchema.extend({
  taskId: count.optional(),
  visual: z.string().max(128).optional(),
  outcome: z.enum(['delivered', 'failed', 'lost']).optional(),
});
