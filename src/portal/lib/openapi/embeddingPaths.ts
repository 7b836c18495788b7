import { tenantIdHeader } from '@vitrine/contract/service';
import { z } from 'zod';
import { createEncryptedKeyResultSchema, createEncryptedKeySchema } from '../keys/createEncryptedKey.ts';
import { chosen, stated } from '../provenances.ts';
import { examples } from './examples.ts';
import {
  type JsonObject,
  type JsonSchema,
  json,
  type NameSchema,
  refusals,
  schemaOf,
  validationErrors,
} from './jsonSchema.ts';

/** The envelope around a result, and around its absence. */
const envelope = (result: z.ZodType): JsonSchema =>
  schemaOf(
    z.object({
      result: stated('4.6', result, 'The result; null for a refusal.'),
      success: stated('4.6, 7', z.boolean(), 'Whether there is a result.'),
      error: stated(
        '4.6, 7',
        z
          .object({
            code: chosen(z.int(), 'The status.'),
            message: chosen(z.string(), 'A sentence.'),
            details: chosen(z.string().nullable(), 'Always null.'),
            validationErrors: chosen(validationErrors.nullable(), 'The rejected fields.'),
          })
          .nullable(),
        'Null on success.',
      ),
      targetUrl: chosen(z.string().nullish(), 'Always null.'),
      unAuthorizedRequest: chosen(z.boolean().optional(), 'Whether the status is 401.'),
      __abp: chosen(z.literal(true).optional(), 'Marks the envelope of ASP.NET Boilerplate.'),
    }),
  );

/** `POST …/ItemLinks/CreateEncryptedKey` (docs/interface.md#4.6). */
export const mintOperation = (name: NameSchema): JsonObject => ({
  operationId: 'createEncryptedKey',
  summary: 'Creates an encrypted key for one user and one report',
  description: 'Creates an encrypted key for one user and one report. Call it only from a backend server.',
  tags: ['Embedding'],
  'x-provenance': 'interface 4.6',
  'x-permission': 'Administration.ItemLinks.BiItems, Administration.BiReports.Create',
  security: [{ apiKey: [] }],
  parameters: [
    {
      name: tenantIdHeader,
      in: 'header',
      required: true,
      description: 'Numeric ID of the tenant that scopes the request.',
      schema: { type: 'string', pattern: '^[1-9]\\d*$' },
      'x-provenance': 'interface 4.6',
    },
  ],
  requestBody: {
    required: true,
    content: json(
      name('CreateEncryptedKeyRequest', schemaOf(createEncryptedKeySchema)),
      examples['createEncryptedKey'],
    ),
  },
  responses: {
    200: {
      description: 'The envelope with the key.',
      content: json(name('CreateEncryptedKeyAnswer', envelope(createEncryptedKeyResultSchema))),
    },
    ...refusals(
      [400, 401, 403, 404, 413, 415, 500, 503],
      name('CreateEncryptedKeyRefusal', envelope(z.null())),
    ),
  },
});

const text = z.string();

/** The body of an action webhook (docs/interface.md#6.1). */
const actionWebhookSchema = z.object({
  metadata: z.object({
    actionTriggeredAt: z.iso.datetime(),
    clientUrl: text,
    currentUser: z.int(),
    reportId: z.guid(),
    reportName: text,
    tenancyName: text,
    visualName: text,
  }),
  visualData: z.array(
    z.object({
      visual: text,
      data: z.array(
        z.object({
          identity: z.array(z.object({ equals: text, target: z.object({ table: text, column: text }) })),
          values: z.array(
            z.object({
              value: z.number(),
              formattedValue: text,
              target: z.object({ $schema: text, aggregationFunction: text, table: text, column: text }),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** The webhook of an Action Task (docs/interface.md#6.1), with the responses of a host app. */
export const actionWebhook = (name: NameSchema): JsonObject => ({
  post: {
    operationId: 'actionTask',
    summary: 'A viewer selected something in a visual with an Action Task.',
    tags: ['Webhooks'],
    'x-provenance': 'interface 6.1',
    'x-permission': 'the secret of the task, as `Authorization: Bearer <secret>`',
    security: [{}, { webhookSecret: [] }],
    parameters: [],
    requestBody: {
      required: true,
      content: json(name('ActionWebhook', schemaOf(actionWebhookSchema, { source: 'interface 6.1' }))),
    },
    responses: {
      '2XX': { description: 'Acknowledged. Any other status is a failure; the webhook is not resent.' },
    },
  },
});
