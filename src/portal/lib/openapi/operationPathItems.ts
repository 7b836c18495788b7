import type { Operation } from '../service/operation.ts';
import { examples } from './examples.ts';
import {
  type JsonObject,
  type JsonSchema,
  json,
  pathParameters,
  queryParameters,
  refusals,
  schemaOf,
  validationError,
} from './jsonSchema.ts';
import type { NamedSchemas } from './namedSchemas.ts';

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
        validationErrors: { type: 'array', items: validationError },
        requestId: { type: 'string' },
      },
    },
  },
};

const upperFirst = (text: string) => text.replace(/^./, (first) => first.toUpperCase());

const operationObject = (operation: Operation, named: NamedSchemas): JsonObject => ({
  operationId: operation.operationId,
  summary: operation.about,
  tags: [operation.tag],
  'x-provenance': operation.source,
  'x-permission': operation.permission,
  security: [{ bearer: [] }],
  parameters: [
    ...pathParameters(operation.path, { 'x-provenance': 'interface 4' }),
    ...queryParameters(operation.querySchema),
  ],
  ...(operation.bodySchema !== undefined && {
    requestBody: {
      required: true,
      content: json(
        named.name(`${upperFirst(operation.operationId)}Request`, schemaOf(operation.bodySchema, 'input')),
        examples[operation.operationId],
      ),
    },
  }),
  responses: {
    [String(operation.status)]: {
      description: operation.answerSchema === undefined ? 'Done.' : operation.about,
      ...(operation.answerSchema !== undefined && {
        content: json(named.nameAnswer(operation.resource, schemaOf(operation.answerSchema, 'output'))),
      }),
    },
    ...refusals(
      [
        ...(operation.bodySchema === undefined && operation.querySchema === undefined ? [] : [400]),
        401,
        403,
        ...(operation.refusals ?? []),
        ...(operation.bodySchema === undefined ? [] : [413, 415]),
      ],
      named.name('Error', restError),
    ),
  },
});

/** The paths of operations. */
export const operationPathItems = (
  operations: readonly Operation[],
  named: NamedSchemas,
): Record<string, Record<string, JsonObject>> => {
  const paths: Record<string, Record<string, JsonObject>> = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, named),
    };
  return paths;
};
