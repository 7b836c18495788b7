import type { RuleSource } from '@vitrine/contract/service';
import { z } from 'zod';

/** A JSON object of OpenAPI whose shape does not matter here. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The part of a JSON Schema that is read here. */
export interface JsonSchema extends JsonObject {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly description?: string;
}

/**
 * The JSON Schema of a schema's input or output, each property with its source: its mark, or else `unmarked`. Defaults
 * are words: generators read a field with a default as one that is always there.
 */
export const schemaOf = (
  schema: z.ZodType,
  unmarked: RuleSource | 'extension' = 'our choice',
  io: 'input' | 'output' = 'input',
): JsonSchema => {
  // OpenAPI 3.1 names the dialect of all schemas.
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { default: usual, description = '', properties = {} } = jsonSchema;
      // The interface states nothing of an extension.
      for (const property of Object.values(properties) as Record<string, string>[])
        if (unmarked === 'extension') property['x-provenance'] = unmarked;
        else property['x-provenance'] ??= unmarked;
      if (usual === undefined) return;
      jsonSchema.description = `${description} Default: \`${JSON.stringify(usual)}\`.`.trim();
      delete jsonSchema.default;
    },
  });
  // Its parts have the shape of JSON Schema.
  return described as JsonSchema;
};

/** Adds a shared schema to a document, and returns its reference. */
export type NameSchema = (name: string, schema: JsonSchema) => JsonSchema;

/** Collects the shared schemas of a document; the rows of a list are shared too. */
export const createSchemas = () => {
  const schemas: Record<string, JsonSchema> = {};
  const name: NameSchema = (given, schema) => {
    const { items } = schema.properties ?? {};
    const isList = given.endsWith('List') && items?.items?.properties !== undefined;
    schemas[given] ??= isList
      ? {
          ...schema,
          properties: {
            ...schema.properties,
            items: { ...items, items: name(given.slice(0, -'List'.length), items.items) },
          },
        }
      : schema;
    return { $ref: `#/components/schemas/${given}` };
  };
  return { schemas, name };
};

/** A JSON body of a request or a response. */
export const json = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

/** The rejected fields in a refusal, in both dialects. */
export const validationErrors = z.array(z.object({ message: z.string(), members: z.array(z.string()) }));

const refusalTexts: Readonly<Record<number, string>> = {
  400: 'The input is not valid; the error names each field.',
  401: 'No API key, or an unknown one.',
  403: 'The API key lacks a permission.',
  404: 'The resource does not exist in this tenant.',
  409: 'A value must be unique, or the current state does not allow the change.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  500: 'The portal failed; its log has the request ID.',
};

/** The responses with these statuses, all with one schema, and that of an outage, which every route has. */
export const refusals = (
  statuses: readonly number[],
  schema: JsonSchema,
  texts: Readonly<Record<number, string>> = {},
) => ({
  ...Object.fromEntries(
    statuses.map((status) => [
      String(status),
      { description: texts[status] ?? refusalTexts[status] ?? 'Refused.', content: json(schema) },
    ]),
  ),
  503: { $ref: '#/components/responses/Unavailable' },
});

/** The shared responses of a document. */
export const responses = {
  Unavailable: {
    description: 'The database is not available, or read-only. Try again after the seconds of Retry-After.',
    headers: { 'Retry-After': { schema: { type: 'integer' } } },
    content: json({ $ref: '#/components/schemas/Error' }),
  },
};
