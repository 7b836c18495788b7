import { tenantIdHeader } from '@vitrine/contract/service';
import { createEncryptedKeyResultSchema, createEncryptedKeySchema } from '../keys/createEncryptedKey.ts';
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

const envelope = (result: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['result', 'success', 'error'],
  properties: {
    result: { ...result, 'x-provenance': 'interface 4.6' },
    targetUrl: { type: ['string', 'null'], 'x-provenance': 'our choice' },
    success: { type: 'boolean', 'x-provenance': 'interface 4.6, 7' },
    error: {
      type: ['object', 'null'],
      'x-provenance': 'interface 4.6, 7',
      properties: {
        code: { type: 'integer', 'x-provenance': 'our choice' },
        message: { type: 'string', 'x-provenance': 'our choice' },
        details: { type: ['string', 'null'], 'x-provenance': 'our choice' },
        validationErrors: { ...validationErrors, type: ['array', 'null'], 'x-provenance': 'our choice' },
      },
    },
    unAuthorizedRequest: { type: 'boolean', 'x-provenance': 'our choice' },
    __abp: { const: true, 'x-provenance': 'our choice' },
  },
});

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
      name('CreateEncryptedKeyRequest', schemaOf(createEncryptedKeySchema, 'input')),
      examples['createEncryptedKey'],
    ),
  },
  responses: {
    200: {
      description: 'The envelope with the key.',
      content: json(
        name('CreateEncryptedKeyAnswer', envelope(schemaOf(createEncryptedKeyResultSchema, 'output'))),
      ),
    },
    ...refusals(
      [400, 401, 403, 404, 413, 415, 500],
      name('CreateEncryptedKeyRefusal', envelope({ type: 'null' })),
    ),
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

const text = { type: 'string', 'x-provenance': 'interface 6.1' } as const;
const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  'x-provenance': 'interface 6.1',
});
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items, 'x-provenance': 'interface 6.1' });

/** The body of an action webhook (docs/interface.md#6.1). */
const actionWebhookSchema: JsonSchema = object({
  metadata: object({
    actionTriggeredAt: { ...text, format: 'date-time' },
    clientUrl: text,
    currentUser: { type: 'integer', 'x-provenance': 'interface 6.1' },
    reportId: { ...text, format: 'uuid' },
    reportName: text,
    tenancyName: text,
    visualName: text,
  }),
  visualData: list(
    object({
      visual: text,
      data: list(
        object({
          identity: list(object({ equals: text, target: object({ table: text, column: text }) })),
          values: list(
            object({
              value: { type: 'number', 'x-provenance': 'interface 6.1' },
              formattedValue: text,
              target: object({ $schema: text, aggregationFunction: text, table: text, column: text }),
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
      content: json(name('ActionWebhook', actionWebhookSchema), examples['actionTask']),
    },
    responses: {
      '2XX': { description: 'Acknowledged. Any other status is a failure; the webhook is not resent.' },
    },
  },
});
