import { tenantIdHeader } from '@vitrine/contract/service';
import { z } from 'zod';
import { createEncryptedKeySchema } from '../keys/createEncryptedKey.ts';
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

/** What the interface states of an answer that has other fields too. */
const stated = { 'x-provenance': 'interface 4.6' };

const keyResult = z.strictObject({
  key: z
    .string()
    .describe('The encrypted key: opaque text, base64 with + / and =. Percent-encode it.')
    .meta(stated),
});

/** The envelope around a result, and around its absence. */
const envelope = (result: z.ZodType): JsonSchema =>
  schemaOf(
    z.object({
      result,
      success: z.boolean().describe('Whether there is a result.').meta(stated),
      error: z
        .object({
          code: z.int().describe('The status.'),
          message: z.string().describe('A sentence.'),
          details: z.string().nullable().describe('Always null.'),
          validationErrors: validationErrors.nullable().describe('The rejected fields.'),
        })
        .nullable()
        .describe('Null on success.')
        .meta(stated),
      targetUrl: z.string().nullish().describe('Always null.'),
      unAuthorizedRequest: z.boolean().optional().describe('Whether the status is 401.'),
      __abp: z.literal(true).optional().describe('Marks the envelope of ASP.NET Boilerplate.'),
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
      name('CreateEncryptedKeyRequest', schemaOf(createEncryptedKeySchema, 'interface 4.6')),
      examples['createEncryptedKey'],
    ),
  },
  responses: {
    200: {
      description: 'The envelope with the key.',
      content: json(name('CreateEncryptedKeyAnswer', envelope(keyResult.meta(stated)))),
    },
    ...refusals([400, 401, 403, 404, 413, 415, 500], name('CreateEncryptedKeyRefusal', envelope(z.null())), {
      500: 'A business error with success: false, such as a wrong passphrase: permanent; do not retry.',
    }),
  },
});

const text = z.string();

const metadata = z.object({
  actionTriggeredAt: z.iso.datetime(),
  clientUrl: text,
  currentUser: z.int(),
  reportId: z.guid(),
  reportName: text,
  tenancyName: text,
  visualName: text,
});

const visual = z.object({
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
});

const chosen = { 'x-provenance': 'our choice' };
/** The body of an action webhook (docs/interface.md#6.1), which states all of it but the names of the two parts. */
const actionWebhookSchema = z.object({
  metadata: metadata.meta(chosen),
  visualData: z.array(visual).meta(chosen),
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
      content: json(name('ActionWebhook', schemaOf(actionWebhookSchema, 'interface 6.1'))),
    },
    responses: {
      '2XX': { description: 'Acknowledged. Any other status is a failure; the webhook is not resent.' },
    },
  },
});
