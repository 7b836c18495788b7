import { createEncryptedKeyPath, tenantIdHeader } from '@vitrine/contract';
import { z } from 'zod';
import { auditCauses } from '../audit/auditCauses.ts';
import { createEncryptedKeyResultSchema, createEncryptedKeySchema } from '../embedding/createEncryptedKey.ts';
import type { Operation } from '../service/operation.ts';
import { examples } from './examples.ts';
import { createNamedSchemas, type NamedSchemas } from './namedSchemas.ts';
import { actionWebhookSchema, controlPathItems, reportPathItem } from './otherPaths.ts';

/** A JSON object whose shape OpenAPI fixes and nothing here depends on. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON Schema as far as the documentation reads it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly description?: string;
  readonly 'x-provenance'?: string;
}

/** A type of audit event, and what writes it. */
export interface DocumentedEvent {
  readonly actionType: string;
  readonly cause: string;
  readonly 'x-provenance': string;
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return rest as JsonSchema;
};

const refusalTexts: Readonly<Record<number, string>> = {
  400: 'The input was refused; each field is named.',
  401: 'No API key, or an unknown one.',
  403: 'The API key lacks a permission.',
  404: 'It does not exist in this tenant.',
  409: 'A value must be unique, or the state does not allow it.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  500: 'A business error with success: false, such as a wrong passphrase: permanent, not to be retried.',
};

const restError: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        validationErrors: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              message: { type: 'string' },
              members: { type: 'array', items: { type: 'string' } },
            },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
};

const json = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
const upperFirst = (text: string) => text.replace(/^./, (first) => first.toUpperCase());
const refusals = (statuses: readonly number[], schema: JsonSchema) =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: refusalTexts[status] ?? 'Refused.', content: json(schema) },
    ]),
  );

const pathParameters = (path: string) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    'x-provenance': 'interface 4',
  }));

const queryParameters = (query: z.ZodType | undefined) => {
  if (query === undefined) return [];
  const { properties = {} } = schemaOf(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: schema.description,
    schema,
    'x-provenance': schema['x-provenance'],
  }));
};

const operationObject = (operation: Operation, named: NamedSchemas): JsonObject => ({
  operationId: operation.operationId,
  summary: operation.summary,
  tags: [operation.tag],
  'x-provenance': `interface ${operation.section}`,
  'x-permission': operation.permission,
  security: [{ bearer: [] }],
  parameters: [...pathParameters(operation.path), ...queryParameters(operation.query)],
  ...(operation.body !== undefined && {
    requestBody: {
      required: true,
      content: json(
        named.name(`${upperFirst(operation.operationId)}Request`, schemaOf(operation.body, 'input')),
        examples[operation.operationId],
      ),
    },
  }),
  responses: {
    [String(operation.success.status)]: {
      description: operation.success.schema === undefined ? 'Done.' : operation.summary,
      ...(operation.success.schema !== undefined && {
        content: json(named.nameAnswer(operation.operationId, schemaOf(operation.success.schema, 'output'))),
      }),
    },
    ...refusals(
      [
        ...(operation.body === undefined && operation.query === undefined ? [] : [400]),
        401,
        403,
        ...operation.refusals,
        ...(operation.body === undefined ? [] : [413, 415]),
      ],
      named.name('Error', restError),
    ),
  },
});

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
        validationErrors: { type: ['array', 'null'], 'x-provenance': 'our choice' },
      },
    },
    unAuthorizedRequest: { type: 'boolean', 'x-provenance': 'our choice' },
    __abp: { const: true, 'x-provenance': 'our choice' },
  },
});

const mintOperation = (named: NamedSchemas): JsonObject => ({
  operationId: 'createEncryptedKey',
  summary: 'Creates an encrypted key for one user and one report. Call it only from a backend server.',
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
      named.name('CreateEncryptedKeyRequest', schemaOf(createEncryptedKeySchema, 'input')),
      examples['createEncryptedKey'],
    ),
  },
  responses: {
    200: {
      description: 'The key in its envelope.',
      content: json(
        named.name('CreateEncryptedKeyAnswer', envelope(schemaOf(createEncryptedKeyResultSchema, 'output'))),
      ),
    },
    ...refusals(
      [400, 401, 403, 404, 413, 415, 500],
      named.name('CreateEncryptedKeyRefusal', envelope({ type: 'null' })),
    ),
  },
});

/** The webhook of an Action Task (docs/interface.md#6.1): what a host app answers. */
const actionWebhook = (named: NamedSchemas): JsonObject => ({
  post: {
    operationId: 'actionTask',
    summary: 'A viewer selected something in a visual that an Action Task is bound to.',
    tags: ['Webhooks'],
    'x-provenance': 'interface 6.1',
    'x-permission': 'the secret of the task, as `Authorization: Bearer <secret>`',
    security: [{}, { webhookSecret: [] }],
    parameters: [],
    requestBody: {
      required: true,
      content: json(named.name('ActionWebhook', actionWebhookSchema), examples['actionTask']),
    },
    responses: {
      '2XX': { description: 'Acknowledged. Any other status is a failure; nothing is sent again.' },
    },
  },
});

/** The OpenAPI 3.1 document, made from the schemas that validate. */
export const openApiDocument = (
  operations: readonly Operation[],
  urls: { readonly baseUrl: string; readonly tenantUrl: string },
): JsonObject => {
  const named = createNamedSchemas();
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, named),
    };
  paths[createEncryptedKeyPath] = { post: mintOperation(named) };
  const webhooks = { actionTask: actionWebhook(named) };
  const allPaths = {
    ...paths,
    '/report/{reportId}': reportPathItem(urls.tenantUrl),
    ...controlPathItems(named),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Portal',
      version: '1',
      description:
        'Administration, audit log and embedding. `x-provenance` says of each endpoint and field whether the interface states it, it is our choice, or an extension.',
    },
    servers: [{ url: urls.baseUrl }],
    components: {
      schemas: named.schemas,
      securitySchemes: {
        webhookSecret: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret of an Action Task.',
        },
        bearer: { type: 'http', scheme: 'bearer', description: "The tenant's API key." },
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`ApiKey <API_KEY>`.',
        },
      },
    },
    paths: allPaths,
    webhooks,
    'x-audit-events': Object.entries(auditCauses).map(
      ([actionType, { cause, section }]): DocumentedEvent => ({
        actionType,
        cause,
        'x-provenance': section === undefined ? 'our choice' : `interface ${section}`,
      }),
    ),
  };
};
