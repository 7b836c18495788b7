import type { JsonSchema } from './jsonSchema.ts';

const prefix = '#/components/schemas/';

/** The shared schemas of a document, collected while its operations are written. */
export interface NamedSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Adds a schema under a name, and returns its reference. */
  readonly name: (name: string, schema: JsonSchema) => JsonSchema;
  /** Names a response by its resource: `User`, or `UserList`. */
  readonly nameAnswer: (resource: string, schema: JsonSchema) => JsonSchema;
}

/** Creates the collection of a document's shared schemas. */
export const createNamedSchemas = (): NamedSchemas => {
  const schemas: Record<string, JsonSchema> = {};
  const name = (given: string, schema: JsonSchema): JsonSchema => {
    schemas[given] ??= schema;
    return { $ref: prefix + given };
  };
  return {
    schemas,
    name,
    nameAnswer: (resource, schema) => {
      const row = resource.replace(/^./, (first) => first.toUpperCase());
      const items = schema.properties?.['items'];
      if (items?.items === undefined) return name(row, schema);
      return name(`${row}List`, {
        ...schema,
        properties: { ...schema.properties, items: { ...items, items: name(row, items.items) } },
      });
    },
  };
};

/** Resolves all references in a part of a document. */
export const withoutReferences = (value: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown => {
  if (Array.isArray(value)) return value.map((part) => withoutReferences(part, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string')
    return withoutReferences(schemas[value.$ref.slice(prefix.length)], schemas);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutReferences(part, schemas)]),
  );
};
