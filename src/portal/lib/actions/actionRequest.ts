import { z } from 'zod';

const text = z.string().max(256);

/** Request of the report page when a viewer selects points of a visual, or clears them (`points: []`). */
export const actionRequestSchema = z.strictObject({
  visual: z.string().min(1).max(128),
  columns: z.array(text).max(4),
  points: z.array(z.array(text).max(4)).max(500),
  filters: z.array(z.strictObject({ column: text, values: z.array(text).max(500) })).max(8),
});

/** A parsed selection. */
export type ActionRequest = z.output<typeof actionRequestSchema>;
