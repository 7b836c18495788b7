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
    ...refusals([400, 401, 403, 404, 413, 415, 500], name('CreateEncryptedKeyRefusal', envelope(z.null()))),
  },
});

const html = (description: string) => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

/** `GET {tenant_url}/report/{reportId}?ev=<key>` (docs/interface.md#4.7). */
export const reportPathItem = (tenantUrl: string): JsonObject => ({
  servers: [
    {
      url: tenantUrl,
      description: "The tenant's public origin.",
      variables: { tenant: { default: 'acme', description: 'The subdomain of the tenant.' } },
    },
  ],
  get: {
    operationId: 'openReport',
    summary: 'Renders the report of an encrypted key',
    description: 'Renders the report of an encrypted key, for the src of an iframe.',
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
        description:
          'The encrypted key, `result.key` of CreateEncryptedKey. Percent-encode it; a literal `+` is read as such.',
        schema: { type: 'string' },
        'x-provenance': 'interface 4.7',
      },
    ],
    responses: {
      200: html('The report, with the rows that the key allows.'),
      403: html('The key is missing, changed, expired, revoked, or belongs to another tenant or report.'),
      404: html('There is no such item in this tenant.'),
    },
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
      content: json(name('ActionWebhook', schemaOf(actionWebhookSchema))),
    },
    responses: {
      '2XX': { description: 'Acknowledged. Any other status is a failure; the webhook is not resent.' },
    },
  },
});
