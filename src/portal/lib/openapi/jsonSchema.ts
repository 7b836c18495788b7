import { z } from 'zod';

/** A JSON object of OpenAPI whose shape does not matter here. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The part of a JSON Schema that the documentation reads. */
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

/** The JSON Schema of a schema's input or output. */
export const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return rest as JsonSchema;
};

/** A rejected field in a refusal, in both dialects. */
export const validationError: JsonSchema = {
  type: 'object',
  required: ['message', 'members'],
  properties: {
    message: { type: 'string' },
    members: { type: 'array', items: { type: 'string' } },
  },
};

const refusalTexts: Readonly<Record<number, string>> = {
  400: 'The input is not valid; the error names each field.',
  401: 'No API key, or an unknown one.',
  403: 'The API key lacks a permission.',
  404: 'The resource does not exist in this tenant.',
  409: 'A value must be unique, or the current state does not allow the change.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  500: 'A business error with success: false, such as a wrong passphrase: permanent; do not retry.',
};

/** The parameters in a path, with their provenance. */
export const pathParameters = (path: string, origin: JsonObject): readonly JsonObject[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...origin,
  }));

/** The parameters of a query; `origin` is the default provenance. */
export const queryParameters = (
  query: z.ZodType | undefined,
  origin: JsonObject = {},
): readonly JsonObject[] => {
  if (query === undefined) return [];
  const { properties = {} } = schemaOf(query, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    description: schema.description,
    schema,
    'x-provenance': schema['x-provenance'],
    ...origin,
  }));
};

/** A JSON body of a request or a response. */
export const json = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** The responses with these statuses, all with one schema. */
export const refusals = (statuses: readonly number[], schema: JsonSchema) =>
  Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: refusalTexts[status] ?? 'Refused.', content: json(schema) },
    ]),
  );
