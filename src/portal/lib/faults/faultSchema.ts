import { z } from 'zod';
import type { Fault } from './fault.ts';

const method = z
  .string()
  .toUpperCase()
  .regex(/^(GET|HEAD|POST|PUT|PATCH|DELETE)$/, 'must be one of HTTP');
const milliseconds = z.int().min(0).max(86_400_000);

/** A {@link FaultEffect}. */
export const faultEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    message: z.string().max(200).optional(),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
  }),
  z.strictObject({ kind: z.enum(['delay', 'webhookDelay']), delayMs: milliseconds }),
  z.strictObject({ kind: z.literal('truncate'), bytes: z.int().min(0).max(1_000_000).optional() }),
  z.strictObject({ kind: z.enum(['hang', 'drop', 'wrongType', 'dropDottedHeaders']) }),
  z.strictObject({ kind: z.enum(['webhookTwice', 'webhookLost']) }),
]);

/** A {@link Fault}. */
export const faultSchema = z.strictObject({
  effect: faultEffectSchema,
  method: method.optional(),
  path: z.string().min(1).max(256).optional(),
  tenancyName: z.string().min(1).max(63).optional(),
  nth: z.array(z.int().min(1)).min(1).max(100).optional(),
  times: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
}) satisfies z.ZodType<Fault, Fault>;
