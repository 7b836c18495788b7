import { z } from 'zod';

const milliseconds = z.int().min(0).max(86_400_000);

/** The effect of a fault. Those named `webhook…` affect webhooks, the others requests. */
export const faultEffectSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    message: z.string().max(200).optional(),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
  }),
  z.strictObject({ kind: z.literal('delay'), delayMs: milliseconds }),
  z.strictObject({ kind: z.literal('hang') }),
  z.strictObject({ kind: z.literal('drop') }),
  z.strictObject({ kind: z.literal('truncate'), bytes: z.int().min(0).max(1_000_000).optional() }),
  z.strictObject({ kind: z.literal('wrongType') }),
  z.strictObject({ kind: z.literal('stalePage') }),
  z.strictObject({ kind: z.literal('dropDottedHeaders') }),
  z.strictObject({ kind: z.literal('endKeyEarly'), afterMs: milliseconds }),
  z.strictObject({ kind: z.literal('webhookDelay'), delayMs: milliseconds }),
  z.strictObject({ kind: z.literal('webhookTwice') }),
  z.strictObject({ kind: z.literal('webhookOutOfOrder') }),
  z.strictObject({ kind: z.literal('webhookLost') }),
]);

/** A fault: its effect, its requests, and how often. An omitted filter matches everything. */
export const faultSchema = z.strictObject({
  effect: faultEffectSchema,
  method: z.string().min(1).max(16).toUpperCase().optional(),
  /** A path, or the start of one when it ends with `*`. */
  path: z.string().min(1).max(256).optional(),
  tenancyName: z.string().min(1).max(63).optional(),
  /** Fires on these matches only, counted from 1. */
  nth: z.array(z.int().min(1)).min(1).max(100).optional(),
  /** Maximum number of times that it fires. */
  times: z.int().min(1).optional(),
  /** Chance of firing, from 0 to 1. */
  probability: z.number().min(0).max(1).optional(),
});

/** The effect of a fault. */
export type FaultEffect = z.output<typeof faultEffectSchema>;
/** A fault before parsing. */
export type Fault = z.input<typeof faultSchema>;
