import { createSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';

/** The URL of a webhook, without credentials: those belong in the Authorization header. */
export const webhookUrlSchema = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((address) => {
    const { username = '', password = '' } = URL.parse(address) ?? {};
    return username === '' && password === '';
  }, 'must not contain a user name or password');

/** The secret of a webhook task: characters that a header allows. */
const webhookSecretSchema = z
  .string()
  .min(1)
  .max(1024)
  .regex(
    /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/,
    'must be visible ASCII characters, with spaces only between them',
  );

/** What a task has beside the fields that it returns. Null is no secret. */
export const taskFields = {
  itemId: z.int().positive().optional(),
  webhookUrl: webhookUrlSchema.optional(),
  secret: webhookSecretSchema.nullish(),
};

/** The field of a task that says where and how its webhooks go. */
export const receiverOf = (task: { readonly webhookUrl?: unknown; readonly secret?: unknown }) =>
  (['webhookUrl', 'secret'] as const).find((name) => task[name] !== undefined && task[name] !== null);
export const onlyWebhooks = 'is only for webhooks';

/** Body of a new task: an address to call, or an item to act on. */
export const taskSchema = createSchema('task', taskFields).superRefine((task, context) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  const unused = task.kind === 'daxQuery' ? receiverOf(task) : undefined;
  if (unused !== undefined) refuse(unused, onlyWebhooks);
  else if (task.webhookUrl === undefined && task.itemId === undefined)
    refuse('webhookUrl', 'is required for a task without an itemId');
});
