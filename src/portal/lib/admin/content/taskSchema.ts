import { z } from 'zod';
import { chosen, stated } from '../../openapi/provenance.ts';

/** A task as the portal returns it. The secret is never part of it. */
export const taskSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number.'),
  name: chosen(z.string(), 'Name of the task.'),
  description: chosen(z.string(), 'Free text.'),
  kind: stated('2.5', z.enum(['webhook', 'daxQuery']), 'What the task does.'),
  reportId: chosen(z.int().nullable(), 'Item ID of the report it is bound to, or null.'),
  visualNames: chosen(z.array(z.string()), 'Visuals it is bound to.'),
  webhookUrl: chosen(z.string().nullable(), 'Where a webhook task sends to, or null.'),
  hasSecret: chosen(z.boolean(), 'Whether a secret token is sent; the token itself is never returned.'),
  enabled: chosen(z.boolean(), 'Whether the task runs.'),
});

/** A task as the portal returns it. */
export type TaskBody = z.output<typeof taskSchema>;
